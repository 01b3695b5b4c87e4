"""Large requests are processed one at a time, with a pause after each.

Processing a file holds the GIL for several milliseconds, a click for one or two. A client that
sends one file after another would delay the clicks of all others; the pause leaves the CPU to
them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from model.errors import InputError

REST = 3.0  # pause, in multiples of the last duration: large requests get at most 1/4 of the time
LONGEST_REST_SECONDS = 1.0
WAITING = 16  # each may be as large as the largest allowed request


class Uploads:
    """The queue of large requests of one server."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._rested = 0.0  # when the pause ends, by `time.monotonic`

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the turn, then hold it for the `async with` block.

        Raises:
            InputError: too many requests are waiting.
        """
        if self._waiting >= WAITING:
            raise InputError("busy")
        self._waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self._waiting -= 1
        try:
            await asyncio.sleep(self._rested - time.monotonic())  # returns at once if negative
            began = time.monotonic()
            try:
                yield
            finally:
                ended = time.monotonic()
                self._rested = ended + min(REST * (ended - began), LONGEST_REST_SECONDS)
        finally:
            self._turn.release()
