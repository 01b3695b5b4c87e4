"""A simulated user: the requests of one browser, click by click."""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
import time
from typing import Any

from bench.load.connection import Answer, Connection
from bench.load.tally import Tally

CALL = "/gradio_api/component_server"
DIFFERENCE_SECONDS = 0.25  # the page compares the engines so long after a click (differences.js)
BUSY_SECONDS = 1.0  # the page retries after about so long when the server is busy (calls.js)
BUSY_TRIES = 20
LONGEST = 12  # words; then the user clears the sentence
WORDS = 5
_PRELOAD = re.compile(rb'<link rel="modulepreload" href="\./(web/[^"]+)"')
_LINES = 6  # connections that a browser opens to one host


class Person:
    """One browser with its own sentence."""

    def __init__(self, port: int, tally: Tally, component: int, prefix: str = "") -> None:
        self._lines = [Connection(port, prefix) for _ in range(_LINES)]
        self._line = self._lines[0]
        self._tally = tally
        self._component = component
        self._session = secrets.token_hex(5)
        self._sentence: list[int] = [0, 1]

    async def open_page(self) -> None:
        """Load the page and its modules, as on a first visit."""
        began = time.perf_counter()
        page = await self._line.get("/")
        if page.status != 200:
            self._tally.error(f"page {page.status}")
            return
        waiting = [f"/{name.decode()}" for name in _PRELOAD.findall(page.body)]
        for line in self._lines:
            line.cookie = self._line.cookie
        await asyncio.gather(*(self._fetch(line, waiting) for line in self._lines))
        self._tally.took("open the page", time.perf_counter() - began)

    async def _fetch(self, line: Connection, waiting: list[str]) -> None:
        while waiting:
            answer = await line.get(waiting.pop())
            if answer.status != 200:
                self._tally.error(f"module {answer.status}")

    async def click_on(self, until: float, pause: float) -> None:
        """Click every `pause` seconds until `time.monotonic()` reaches `until`."""
        await asyncio.sleep(random.random() * pause)  # so that users do not click in step
        while time.monotonic() < until:
            began = time.monotonic()
            await self.click()
            await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))
        await self.leave()

    async def click(self) -> None:
        """Append a word: its view, and DIFFERENCE_SECONDS later the comparison of the engines."""
        if len(self._sentence) >= LONGEST:
            self._sentence = []
        self._sentence.append(random.randrange(WORDS))
        began = time.perf_counter()
        view = await self.call("view", {"tokens": self._sentence})
        if view is not None:
            self._tally.took("click", time.perf_counter() - began)
            if view.get("tokens") != self._sentence:
                self._tally.error("view of another sentence")
        await asyncio.sleep(DIFFERENCE_SECONDS)
        began = time.perf_counter()
        if await self.call("differences", {"tokens": self._sentence}) is not None:
            self._tally.took("differences", time.perf_counter() - began)

    async def call(self, name: str, request: dict[str, Any]) -> dict[str, Any] | None:
        """The answer of a page function; None after an error, which is added to the tally."""
        body = json.dumps(
            {
                "data": {**request, "lang": "zh"},
                "component_id": self._component,
                "fn_name": name,
                "session_hash": self._session,
            }
        ).encode()
        for _ in range(BUSY_TRIES):
            content = self._read(name, await self._line.post(CALL, body))
            error = (content or {}).get("error")
            if not error:
                return content
            if error["code"] != "busy":
                self._tally.error(f"{name}: {error['code']}")
                return None
            self._tally.count("refused with a message")
            await asyncio.sleep(BUSY_SECONDS * (0.5 + random.random()))
        self._tally.count("given up after 20 tries")
        return None

    def _read(self, name: str, answer: Answer) -> dict[str, Any] | None:
        if answer.status != 200:
            self._tally.error(f"{name}: status {answer.status}")
            return None
        content: dict[str, Any] = json.loads(answer.body)
        return content

    async def leave(self) -> None:
        """Close the browser."""
        for line in self._lines:
            await line.close()


async def component_of(port: int, prefix: str = "") -> int:
    """Gradio's id of the page's one component."""
    line = Connection(port, prefix)
    config = json.loads((await line.get("/config")).body)
    await line.close()
    return next(int(entry["id"]) for entry in config["components"] if entry["type"] == "html")
