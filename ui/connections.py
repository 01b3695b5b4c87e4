"""How many connections there are, and how long one may keep silent: what uvicorn leaves open.

A process may have so many files open, connections among them; when the last one is taken, no
connection is accepted any more, and asyncio says so a thousand times a second. So the number is
kept below that: a new one pushes out the one that is least missed, first of all one that has
asked for nothing yet, the longest silent before the others. Honest visitors are never that one:
a browser asks as soon as it is connected.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, ClassVar

import uvicorn
from h11 import IDLE
from uvicorn.protocols.http.h11_impl import H11Protocol

from ui import gradio_inside, operator_log

KEEP_ALIVE_SECONDS = 75  # nginx keeps an idle line to the page for 60: the page must not cut first
HEAD_SECONDS = 15.0  # from the first sign of a request, or from connecting, to the end of its head
TAKE_SECONDS = 60.0  # an answer of which the other side takes nothing for so long is given up
ACCEPTED_AT_ONCE = 4
"""In one round of the loop: a third of a millisecond each, and an answer takes several rounds. Of
32 at once, three hundred that come together held up every click for a tenth of a second."""
_RESERVE = 256  # files for everything else; several times what is accepted at once
_MOST = 4096  # connections, however many files are allowed
_PENDING = 1024  # connections that wait in the kernel


def room_for_connections() -> int:
    """How many connections this process can have, after allowing itself as many files as it may."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows counts no files
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
    """One connection. `room` is how many there may be in all, `silent` are those that have asked
    for nothing yet, the longest silent first."""

    room = _MOST
    silent: ClassVar[dict[Connection, None]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place; push one out if there is none."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._late: asyncio.TimerHandle | None = None
        self._untaken: asyncio.TimerHandle | None = None
        self._expect_head()
        if len(self.connections) > self.room:
            # The first of the silent is found without a look at every one.
            least_missed: Any = next(iter(self.silent), None)
            if least_missed is None:
                others: Any = self.connections - {self}
                least_missed = min(others, key=Connection._missed)
            least_missed.transport.abort()
            self.connections.discard(least_missed)
            self.silent.pop(least_missed, None)
        self.silent[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._expect_nothing()
        self._all_is_taken()
        self.silent.pop(self, None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A first byte does not end the waiting, only the whole head of a request does."""
        super().data_received(data)
        if self.cycle is not None:
            self.silent.pop(self, None)
        if self.conn.their_state is IDLE and not self.transport.is_closing():
            self._expect_head()
        else:
            self._expect_nothing()

    def on_response_complete(self) -> None:
        """From now on it is idle."""
        self._since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The other side takes less than there is to send."""
        super().pause_writing()
        self._look_whether_it_is_taken()

    def resume_writing(self) -> None:
        """The other side takes it."""
        super().resume_writing()
        self._all_is_taken()

    def _missed(self) -> tuple[int, float]:
        """How much would be lost with it: the smaller, the sooner it goes."""
        asked: Any = self.cycle  # None before the first request
        if asked is None:
            return 0, self._since
        if asked.response_complete:
            return 1, self._since
        if asked.more_body:
            return 2, self._since
        return (3 if asked.scope["method"] == "GET" else 4), self._since  # a stream, a call

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
        return False  # a WebSocket is an address like any other, without two lines in the log


class Server(gradio_inside.Server):  # type: ignore[misc]
    """Gradio's server with what Gradio gives no way to set."""

    def __init__(self, config: uvicorn.Config, *others: Any, **more: Any) -> None:
        Connection.room = room_for_connections()
        config.http = Connection
        config.timeout_keep_alive = KEEP_ALIVE_SECONDS
        # asyncio accepts as many at once as may be pending; they must not exceed the reserve.
        config.backlog = ACCEPTED_AT_ONCE
        operator_log.take_over("uvicorn")
        super().__init__(config, *others, **more)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; more may wait in the kernel than are accepted at once."""
        await super().startup(sockets)
        for listening in (one for server in self.servers for one in server.sockets):
            with socket.fromfd(listening.fileno(), listening.family, listening.type) as same:
                same.listen(_PENDING)
