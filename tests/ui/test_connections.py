"""Connections: a new one always finds a place, and one that keeps silent does not keep it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.responses import PlainTextResponse

from tests import own_loop
from ui import connections
from ui.connections import Connection, Server

ROOM = 8
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Scenario = Callable[[int], Awaitable[None]]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Room for few; and uvicorn's log is left as it was."""
    monkeypatch.setattr(connections, "room_for_connections", lambda: ROOM)
    logger = logging.getLogger("uvicorn")
    before = logger.handlers[:], logger.propagate
    yield
    logger.handlers, logger.propagate = before


def _serve(scenario: Scenario) -> None:
    """Let `scenario` loose on a server of this project's kind."""

    async def main() -> None:
        config = uvicorn.Config(PlainTextResponse("ok"), port=0, log_level="warning")
        server = Server(config)
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            await asyncio.wait_for(scenario(port), 20)
        finally:
            server.should_exit = server.force_exit = True
            await running

    own_loop.run(main())


async def _line(port: int, sends: bytes = b"") -> Line:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sends)
    return reader, writer


async def _answer(line: Line) -> bytes:
    """The status line and what comes with it; nothing if the line was cut."""
    with contextlib.suppress(ConnectionError):
        return await asyncio.wait_for(line[0].read(1000), 5)
    return b""


async def _close(*lines: Line) -> None:
    for _, writer in lines:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def test_silent_lines_push_out_one_another_and_nobody_who_asks() -> None:
    async def scenario(port: int) -> None:
        kept = await _line(port, GET)
        assert b"200 OK" in await _answer(kept)
        silent = [await _line(port) for _ in range(5 * ROOM)]
        kept[1].write(GET)
        assert b"200 OK" in await _answer(kept)
        late = await _line(port, GET)
        assert b"200 OK" in await _answer(late)
        assert await _answer(silent[0]) == b""
        await _close(kept, late, *silent)

    _serve(scenario)


def test_a_line_whose_body_is_still_coming_goes_before_a_call_and_after_idle_ones() -> None:
    async def scenario(port: int) -> None:
        head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1"
        idle = await _line(port, GET)
        await _answer(idle)
        slow = [await _line(port, head) for _ in range(ROOM - 1)]
        await asyncio.sleep(0.05)
        new = await _line(port, GET)
        assert b"200 OK" in await _answer(new)
        idle[1].write(GET)
        assert await _answer(idle) == b""
        await _close(idle, new, *slow)

    _serve(scenario)


@pytest.mark.parametrize("sent", [b"", b"G", GET[:-2]])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_head_that_does_not_come_in_time_ends_the_line(
    monkeypatch: pytest.MonkeyPatch, sent: bytes, is_first: bool
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(connections, "KEEP_ALIVE_SECONDS", 1)

    async def scenario(port: int) -> None:
        line = await _line(port, b"" if is_first else GET)
        if not is_first:
            assert b"200 OK" in await _answer(line)
        line[1].write(sent)
        assert await _answer(line) == b""
        await _close(line)

    _serve(scenario)


def test_an_idle_line_is_kept_longer_than_a_proxy_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)

    async def scenario(port: int) -> None:
        line = await _line(port, GET)
        assert b"200 OK" in await _answer(line)
        await asyncio.sleep(0.2)
        line[1].write(GET)
        assert b"200 OK" in await _answer(line)
        await _close(line)

    _serve(scenario)
    assert connections.KEEP_ALIVE_SECONDS > 60  # nginx's default, which deploy/nginx.conf keeps


def test_a_web_socket_is_an_address_like_any_other(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(port: int) -> None:
        asks = GET[:-2] + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        line = await _line(port, asks)
        assert b"200 OK" in await _answer(line)
        await _close(line)

    _serve(scenario)
    assert caplog.records == []


def test_an_answer_that_nobody_takes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "TAKE_SECONDS", 0.1)

    class _Transport:
        aborted = False

        def get_write_buffer_size(self) -> int:
            return 1000

        def abort(self) -> None:
            self.aborted = True

    async def main() -> bool:
        line = Connection.__new__(Connection)
        line.loop, line._untaken = asyncio.get_running_loop(), None
        line.transport = transport = _Transport()  # type: ignore[assignment]
        line._look_whether_it_is_taken()
        await asyncio.sleep(0.3)
        return transport.aborted

    assert own_loop.run(main())


def _in_use(since: float, **of_cycle: Any) -> Connection:
    line = Connection.__new__(Connection)
    line._since = since
    line.cycle = SimpleNamespace(**of_cycle) if of_cycle else None  # type: ignore[assignment]
    return line


def test_a_call_is_given_up_last_and_of_equals_the_one_that_is_oldest() -> None:
    asks = {"response_complete": False, "more_body": False}
    lines = [
        _in_use(9),  # has asked for nothing
        _in_use(8, response_complete=True),  # idle
        _in_use(7, response_complete=False, more_body=True),  # its body is on its way
        _in_use(6, **asks, scope={"method": "GET"}),  # a stream
        _in_use(1, **asks, scope={"method": "POST"}),  # calls
        _in_use(5, **asks, scope={"method": "POST"}),
    ]
    mixed = [lines[at] for at in (3, 5, 0, 4, 2, 1)]
    assert sorted(mixed, key=Connection._missed) == lines


def test_room_is_left_for_other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert 0 < connections.room_for_connections() <= 4096
    assert connections._RESERVE >= 4 * connections.ACCEPTED_AT_ONCE
