"""Receiving request bodies: bounded one by one and together, and read away from the event loop.

Whoever sends slowly holds no place among the calls, since those are counted when a body is
there; and where all bodies on their way hold too much, the one that has been on its way longest
is given up. Nobody on a usual line is ever that one: its body takes milliseconds.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import anyio
from starlette.datastructures import Headers
from starlette.types import Receive, Scope

from model.errors import InputError
from ui.json_bodies import read_json

BODY_SECONDS = 30.0  # a request that takes longer to arrive is given up
TOGETHER_BYTES = 16 * 1024 * 1024  # all bodies on their way
INLINE_BYTES = 4 * 1024  # read at once: it takes a millisecond at most, less than a thread costs
_READERS = 2  # threads; reading holds Python's lock, more would help nobody


@dataclass(eq=False)
class _OnItsWay:
    """A body of which `size` bytes are there; `deadline` ends the waiting for more."""

    deadline: asyncio.Timeout
    size: int = 0
    given_up: bool = False


class Bodies:
    """Those on their way to one server."""

    def __init__(self, together: int = TOGETHER_BYTES) -> None:
        self._together = together
        self._on_their_way: OrderedDict[_OnItsWay, None] = OrderedDict()  # the oldest first
        self._held = 0
        self._readers = anyio.CapacityLimiter(_READERS)

    async def receive(self, scope: Scope, receive: Receive, limit: int) -> bytes:
        """The body of a request of JSON.

        Raises:
            InputError: it is no JSON by its own account, larger than `limit` bytes, or not
                there in time.
        """
        _check_headers(Headers(scope=scope), limit)
        body: _OnItsWay | None = None
        try:
            async with asyncio.timeout(BODY_SECONDS) as deadline:
                body = _OnItsWay(deadline)
                self._on_their_way[body] = None
                return await self._collect(body, receive, limit)
        except TimeoutError as error:
            if body is not None and body.given_up:
                raise InputError("busy") from error
            raise InputError("body_late", seconds=int(BODY_SECONDS)) from error
        finally:
            if body is not None:
                self._forget(body)

    async def read(self, body: bytes) -> Any:
        """`body` as JSON; raises like `read_json`."""
        if len(body) <= INLINE_BYTES:
            return read_json(body)
        return await anyio.to_thread.run_sync(read_json, body, limiter=self._readers)

    async def _collect(self, body: _OnItsWay, receive: Receive, limit: int) -> bytes:
        content = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise InputError("body_late", seconds=0)
            piece = message.get("body", b"")
            content += piece
            if len(content) > limit:
                raise InputError("body_size", limit=limit // 1024)
            if not message.get("more_body", False):
                return bytes(content)
            body.size += len(piece)
            self._held += len(piece)
            self._make_room()

    def _make_room(self) -> None:
        while self._held > self._together:
            oldest = next(iter(self._on_their_way))
            self._forget(oldest)
            oldest.given_up = True
            oldest.deadline.reschedule(asyncio.get_running_loop().time())

    def _forget(self, body: _OnItsWay) -> None:
        if body in self._on_their_way:
            del self._on_their_way[body]
            self._held -= body.size


def _check_headers(headers: Headers, limit: int) -> None:
    # A page of another origin can send text and forms without asking, but not JSON.
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise InputError("body_type")
    stated = headers.get("content-length", "0")
    if not stated.isdigit() or len(stated) > 12 or int(stated) > limit:
        raise InputError("body_size", limit=limit // 1024)
