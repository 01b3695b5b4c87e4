"""Denial-of-service attacks that a few clients can make without an account, one at a time.

`attack(port, component, until)` runs until `time.monotonic()` reaches `until`.

`python -m bench.load.attacks NAME PORT COMPONENT SECONDS` runs one in its own process, so that it
does not disturb the timing of the normal users.
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
from bench.load.owner import upload
from bench.load.person import CALL
from bench.load.trainee import TASK
from model.config import MiniGPTConfig

Attack = Callable[[int, int, float], Coroutine[Any, Any, None]]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

DESCRIPTORS = 1024  # the default limit of open files on many systems
SLOW_SENDERS = 128  # twice the number of call slots
SLOW_BYTES = 8 * 1024
SILENT = 1100  # more than DESCRIPTORS
BRACKETS = 1024 * 1024  # bytes
FEW = 4
UPLOADS = [
    MiniGPTConfig(5, context_length, model_dim, 1, num_layers)
    for context_length in range(1, 17)
    for model_dim in (3, 5)
    for num_layers in (1, 2, 3, 4)
][:100]
"""Different sizes, so that each needs its own ONNX graph."""
UNDER_WAY = ("waiting", "starting", "running")
TRAININGS = 51  # as many as can wait and run
SESSION = "attacker"
RUN = "/gradio_api/run/next_token"
_HEAD = "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


async def slow_bodies(port: int, component: int, until: float) -> None:
    """Many calls of a few kilobytes, sent at one byte per second."""
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
    """A megabyte of empty lists, repeatedly: cheap to send and expensive to parse."""
    content = b"[" + b"[]," * ((BRACKETS - 4) // 3) + b"[]]"
    await asyncio.gather(
        *(_posts(port, path, content, until) for path in (RUN, CALL) for _ in range(FEW // 2))
    )


async def large_uploads(port: int, component: int, until: float) -> None:
    """Uploads of the largest allowed size that are not model files."""
    request = {"content": "A" * 700_000}
    content = _call("own_load", request, component)
    await asyncio.gather(*(_posts(port, CALL, content, until) for _ in range(FEW)))


async def _posts(port: int, path: str, content: bytes, until: float) -> None:
    line = Connection(port)
    while time.monotonic() < until:
        await line.post(path, content)
        await asyncio.sleep(0.01)  # a refusal closes the connection; a new one costs the sender CPU
    await line.close()


async def silent_sockets(port: int, component: int, until: float) -> None:
    """More connections than a process may have open files, none of which sends a request."""
    await asyncio.gather(*(_silence(port, until) for _ in range(SILENT)))


async def _silence(port: int, until: float) -> None:
    while time.monotonic() < until:
        with contextlib.suppress(OSError, TimeoutError):
            async with _connected(port) as (reader, _):
                await asyncio.wait_for(reader.read(), until - time.monotonic())  # until closed
        await asyncio.sleep(1)


@contextlib.asynccontextmanager
async def _connected(port: int) -> AsyncIterator[Streams]:
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def page_again_and_again(port: int, component: int, until: float) -> None:
    """The page, over a few connections, as fast as it is served."""
    await asyncio.gather(*(_gets(port, until) for _ in range(FEW)))


async def _gets(port: int, until: float) -> None:
    line = Connection(port)
    while time.monotonic() < until:
        await line.get("/")
        await asyncio.sleep(0.02)
    await line.close()


async def every_file(port: int, component: int, until: float) -> None:
    """A hundred uploaded models that each need an ONNX graph, and requests for all their files."""
    line = Connection(port)
    models = []
    for sizes in UPLOADS:
        brought = await _asked(line, "own_load", {"content": upload(sizes)}, component)
        models.append(brought.get("model", {}).get("id"))
    while time.monotonic() < until:
        for model in models:
            view = {"tokens": [0, 1], "model": model, "engine": "onnxruntime"}
            await _asked(line, "view", view, component)
            await _asked(line, "own_files", {"model": model}, component)
        await asyncio.sleep(1)
    await line.close()


async def every_training(port: int, component: int, until: float) -> None:
    """The largest training, in every place of the queue, polled so that none is dropped."""
    line = Connection(port)
    mine: list[str] = []
    while time.monotonic() < until:
        for _ in range(TRAININGS - len(mine)):
            started = await _asked(line, "training_start", {"task": TASK}, component)
            mine += [started["id"]] if "id" in started else []
        looks = [{"id": training} for training in mine]
        standing = [await _asked(line, "training_progress", look, component) for look in looks]
        mine = [one["id"] for one in standing if one.get("status") in UNDER_WAY]
        await asyncio.sleep(1)
    await line.close()


async def _asked(line: Connection, name: str, request: Any, component: int) -> dict[str, Any]:
    answer = await line.post(CALL, _call(name, request, component))
    content: dict[str, Any] = json.loads(answer.body) if answer.status == 200 else {}
    return content


def _call(name: str, request: Any, component: int) -> bytes:
    body = {"data": request, "component_id": component, "fn_name": name, "session_hash": SESSION}
    return json.dumps(body).encode()


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        slow_bodies,
        many_brackets,
        large_uploads,
        silent_sockets,
        page_again_and_again,
        every_file,
        every_training,
    )
}


QUEUED = (every_file.__name__, every_training.__name__)
"""The attacks that occupy the queues, not only CPU time."""


@contextlib.contextmanager
def under_attack(name: str, port: int, component: int, seconds: float) -> Iterator[None]:
    """Run the attack `name` during the block."""
    given = [name, str(port), str(component), str(seconds)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.load.attacks", *given],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()  # printed when the attack is running
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
