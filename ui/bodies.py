"""Receiving request bodies: each limited in size and time, all limited in total memory.

A slow sender occupies no call slot: calls are counted only once their body is complete. When the
incomplete bodies together exceed the memory limit, the oldest is dropped. On a normal connection
a body arrives within milliseconds, so only slow senders are dropped. Large bodies are parsed in
a thread, off the event loop.
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

BODY_SECONDS = 30.0  # a request whose body takes longer is refused
TOGETHER_BYTES = 16 * 1024 * 1024  # all incomplete bodies together
INLINE_BYTES = 4 * 1024  # parsed on the event loop: at most 1 ms, less than a thread costs
_READERS = 2  # threads; parsing holds the GIL, so more would not help


@dataclass(eq=False)
class _OnItsWay:
    """A body of which `size` bytes have arrived; `deadline` ends the wait for the rest."""

    deadline: asyncio.Timeout
    size: int = 0
    given_up: bool = False


class Bodies:
    """The request bodies that one server is receiving."""

    def __init__(self, together: int = TOGETHER_BYTES) -> None:
        self._together = together
        self._on_their_way: OrderedDict[_OnItsWay, None] = OrderedDict()  # the oldest first
        self._held = 0
        self._readers = anyio.CapacityLimiter(_READERS)

    async def receive(self, scope: Scope, receive: Receive, limit: int) -> bytes:
        """The body of a JSON request.

        Raises:
            InputError: the content type is not JSON, the body is larger than `limit` bytes, or
                it was not complete in time.
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
        """`body` parsed as JSON; raises what `read_json` raises."""
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
    # Another origin can send text and forms without a CORS preflight, but not JSON.
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise InputError("body_type")
    stated = headers.get("content-length", "0")
    if not stated.isdigit() or len(stated) > 12 or int(stated) > limit:
        raise InputError("body_size", limit=limit // 1024)
