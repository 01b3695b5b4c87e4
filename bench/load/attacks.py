"""People who mean ill, each way on its own: what a few can send without an account or a line of
their own. `attack(port, component, until)` goes on until the clock (`time.monotonic`) says so.

`python -m bench.load.attacks NAME PORT COMPONENT SECONDS` is one of them in a process of its own:
the honest people's clocks must not wait for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

from bench.load.connection import LOOPBACK, Connection
from bench.load.person import CALL

Attack = Callable[[int, int, float], Coroutine[Any, Any, None]]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

DESCRIPTORS = 1024  # what many systems allow a process
SLOW_SENDERS = 128  # twice as many as there are places for calls
SLOW_BYTES = 8 * 1024
SILENT = 1100  # more than DESCRIPTORS
BRACKETS = 1024 * 1024  # bytes
FEW = 4
RUN = "/gradio_api/run/next_token"
_HEAD = "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


async def slow_bodies(port: int, component: int, until: float) -> None:
    """Many calls of a few kilobytes that arrive a byte a second."""
    await asyncio.gather(*(_slow_body(port, until) for _ in range(SLOW_SENDERS)))


async def _slow_body(port: int, until: float) -> None:
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            async with _connected(port) as (reader, writer):
                head = f"{_HEAD.format(path=CALL)}Content-Length: {SLOW_BYTES}\r\n\r\n"
                writer.write(head.encode())
                while time.monotonic() < until and not reader.at_eof():
                    writer.write(b" ")
                    await writer.drain()
                    await asyncio.sleep(1)


async def many_brackets(port: int, component: int, until: float) -> None:
    """A megabyte of empty lists, again and again: little to send and much to read."""
    content = b"[" + b"[]," * ((BRACKETS - 4) // 3) + b"[]]"
    await asyncio.gather(
        *(_posts(port, path, content, until) for path in (RUN, CALL) for _ in range(FEW // 2))
    )


async def large_uploads(port: int, component: int, until: float) -> None:
    """Files as large as they may be that are none."""
    request = {"content": "A" * 700_000}
    body = {"data": request, "component_id": component, "fn_name": "own_load", "session_hash": "a"}
    content = json.dumps(body).encode()
    await asyncio.gather(*(_posts(port, CALL, content, until) for _ in range(FEW)))


async def _posts(port: int, path: str, content: bytes, until: float) -> None:
    line = Connection(port)
    while time.monotonic() < until:
        await line.post(path, content)
        await asyncio.sleep(0.01)  # a refusal takes the line along, and a new one costs the sender
    await line.close()


async def silent_sockets(port: int, component: int, until: float) -> None:
    """More connections than a process may have files open, none of which asks for anything."""
    await asyncio.gather(*(_silence(port, until) for _ in range(SILENT)))


async def _silence(port: int, until: float) -> None:
    while time.monotonic() < until:
        with contextlib.suppress(OSError, TimeoutError):
            async with _connected(port) as (reader, _):
                await asyncio.wait_for(reader.read(), until - time.monotonic())  # until it is cut
        await asyncio.sleep(1)


@contextlib.asynccontextmanager
async def _connected(port: int) -> AsyncIterator[Streams]:
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def page_again_and_again(port: int, component: int, until: float) -> None:
    """The page by a few lines as fast as it comes."""
    await asyncio.gather(*(_gets(port, until) for _ in range(FEW)))


async def _gets(port: int, until: float) -> None:
    line = Connection(port)
    while time.monotonic() < until:
        await line.get("/")
        await asyncio.sleep(0.02)
    await line.close()


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (slow_bodies, many_brackets, large_uploads, silent_sockets, page_again_and_again)
}


@contextlib.contextmanager
def under_attack(name: str, port: int, component: int, seconds: float) -> Iterator[None]:
    """The attack `name`, from before the first line of the block until its end."""
    given = [name, str(port), str(component), str(seconds)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.load.attacks", *given],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()  # it has begun
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def _main(name: str, port: int, component: int, seconds: float) -> None:
    attack = asyncio.create_task(ATTACKS[name](port, component, time.monotonic() + seconds))
    await asyncio.sleep(1)
    print("under way", flush=True)
    await attack


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])))
