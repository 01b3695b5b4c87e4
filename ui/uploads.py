"""Large requests take turns, and the server rests between them.

A file costs several milliseconds of Python's lock, a click one or two. Whoever sends file after
file would have clicks wait for half of them; so large ones are worked on one after another, and
after each there is time for everybody else.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from model.errors import InputError

REST = 3.0  # times as long as the last one took: they get a quarter of the time at most
LONGEST_REST_SECONDS = 1.0
WAITING = 16  # each may be as large as a request can be


class Uploads:
    """The turns of one server."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._rested = 0.0  # when, on `time.monotonic`'s clock

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """One's turn, once it has come.

        Raises:
            InputError: too many wait.
        """
        if self._waiting >= WAITING:
            raise InputError("busy")
        self._waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self._waiting -= 1
        try:
            await asyncio.sleep(self._rested - time.monotonic())  # at once if that is over
            began = time.monotonic()
            try:
                yield
            finally:
                ended = time.monotonic()
                self._rested = ended + min(REST * (ended - began), LONGEST_REST_SECONDS)
        finally:
            self._turn.release()
