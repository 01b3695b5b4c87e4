"""A limit on the number of connections and timeouts on idle ones, which uvicorn lacks.

Connections count against the process's limit of open files. At that limit no connection is
accepted any more, and asyncio logs the failure a thousand times a second. So the number of
connections is kept below it: a new connection closes the least valuable one, first those that
have sent no request yet, the longest idle first. A browser sends its request as soon as it is
connected, so it is never among those.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, ClassVar

import uvicorn
from h11 import IDLE
from uvicorn.protocols.http.h11_impl import H11Protocol

from ui import gradio_inside, operator_log

KEEP_ALIVE_SECONDS = 75  # above nginx's 60 s upstream keep-alive, so that nginx closes first
HEAD_SECONDS = 15.0  # from connecting, or the first byte of a request, to the end of its headers
TAKE_SECONDS = 60.0  # a response of which the client reads nothing for so long is aborted
ACCEPTED_AT_ONCE = 4
"""Connections accepted in one iteration of the event loop: 0.3 ms each, and a response takes
several iterations. With 32, a burst of 300 connections delayed every click by 0.1 s."""
_RESERVE = 256  # open files for everything else; several times ACCEPTED_AT_ONCE
_MOST = 4096  # connections, however many open files are allowed
_PENDING = 1024  # the kernel's listen backlog


def room_for_connections() -> int:
    """How many connections this process can have; raises its soft limit of open files first."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return _MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST + _RESERVE
    allowed = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    if soft == resource.RLIM_INFINITY:
        return _MOST
    return max(ACCEPTED_AT_ONCE, min(_MOST, soft - _RESERVE))


class Connection(H11Protocol):
    """One connection.

    room: the largest number of connections. silent: connections that have sent no request yet,
    the oldest first.
    """

    room = _MOST
    silent: ClassVar[dict[Connection, None]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register the connection; close the least valuable one if there are too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._late: asyncio.TimerHandle | None = None
        self._untaken: asyncio.TimerHandle | None = None
        self._expect_head()
        if len(self.connections) > self.room:
            # The oldest silent connection is found without looking at all of them.
            least_missed: Any = next(iter(self.silent), None)
            if least_missed is None:
                others: Any = self.connections - {self}
                least_missed = min(others, key=Connection._missed)
            least_missed.transport.abort()
            self.connections.discard(least_missed)
            self.silent.pop(least_missed, None)
        self.silent[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers and forget the connection."""
        self._expect_nothing()
        self._all_is_taken()
        self.silent.pop(self, None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The timer for the headers ends with the complete headers, not with the first byte."""
        super().data_received(data)
        if self.cycle is not None:
            self.silent.pop(self, None)
        if self.conn.their_state is IDLE and not self.transport.is_closing():
            self._expect_head()
        else:
            self._expect_nothing()

    def on_response_complete(self) -> None:
        """Record since when the connection is idle."""
        self._since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client reads more slowly than the server writes: start the timer."""
        super().pause_writing()
        self._look_whether_it_is_taken()

    def resume_writing(self) -> None:
        """The client has read enough: stop the timer."""
        super().resume_writing()
        self._all_is_taken()

    def _missed(self) -> tuple[int, float]:
        """How much closing it would cost, then since when: the smallest is closed first."""
        asked: Any = self.cycle  # None before the first request
        if asked is None:
            return 0, self._since
        if asked.response_complete:
            return 1, self._since
        if asked.more_body:
            return 2, self._since
        return (3 if asked.scope["method"] == "GET" else 4), self._since  # a stream; a call

    def _look_whether_it_is_taken(self, before: int | None = None) -> None:
        left = self.transport.get_write_buffer_size()
        if left == before:
            self.transport.abort()
            return
        self._untaken = self.loop.call_later(TAKE_SECONDS, self._look_whether_it_is_taken, left)

    def _all_is_taken(self) -> None:
        if self._untaken is not None:
            self._untaken.cancel()
            self._untaken = None

    def _expect_head(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _should_upgrade(self) -> bool:
        return False  # a WebSocket request is handled as plain HTTP, without uvicorn's warnings


class Server(gradio_inside.Server):  # type: ignore[misc]
    """Gradio's server with settings for which Gradio has no option."""

    def __init__(self, config: uvicorn.Config, *others: Any, **more: Any) -> None:
        Connection.room = room_for_connections()
        config.http = Connection
        config.timeout_keep_alive = KEEP_ALIVE_SECONDS
        # asyncio accepts up to `backlog` connections at once; they must not exceed the reserve.
        config.backlog = ACCEPTED_AT_ONCE
        operator_log.take_over("uvicorn")
        super().__init__(config, *others, **more)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, with a kernel backlog larger than the number accepted at once."""
        await super().startup(sockets)
        for listening in (one for server in self.servers for one in server.sockets):
            with socket.fromfd(listening.fileno(), listening.family, listening.type) as same:
                same.listen(_PENDING)
