"""A started page and a real browser for the tests of the page.

`open_page` opens a fresh browser context at a given
size; when the test ends, every page opened that way must have written nothing to the console
(warnings and errors) and must have asked no other host for anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.ui.started import StartedServer

PAGE_SECONDS = 30.0  # what a browser test waits at most for one thing

OpenPage = Callable[..., Any]


@dataclass
class Watched:
    """What pages did that they should not: filled while a test runs, checked when it ends."""

    host: str
    console: list[str] = field(default_factory=list)
    external: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    def watch(self, page: Any) -> None:
        """Note the console and the requests of `page`."""
        page.on("console", lambda message: self._on_console(message.type, message.text))
        page.on("pageerror", lambda error: self.console.append(f"uncaught: {error}"))
        page.on("request", lambda request: self._on_request(request.url))

    def allow(self, part_of_text: str) -> None:
        """Expect console messages that contain this text: the test causes them."""
        self.allowed.append(part_of_text)

    def check(self) -> None:
        """Fail if a page wrote to the console or asked another host."""
        unexpected = [
            text for text in self.console if not any(part in text for part in self.allowed)
        ]
        assert unexpected == []
        assert self.external == []

    def _on_console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.console.append(f"{kind}: {text}")

    def _on_request(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.host:
            self.external.append(url)


@pytest.fixture
def watched(server: StartedServer) -> Iterator[Watched]:
    """What the test's pages do wrong; checked at the end."""
    watching = Watched(urlsplit(server.url).netloc)
    yield watching
    watching.check()


@pytest.fixture
def open_page(browser: Any, server: StartedServer, watched: Watched) -> Iterator[OpenPage]:
    """`open_page(query="", width=1280, height=900, dark=False, url=None)` -> a page with numbers.

    Further keyword arguments go to `browser.new_context` (`has_touch`, `reduced_motion`…).
    """
    contexts: list[Any] = []

    def open_(
        query: str = "",
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        url: str | None = None,
        **context: Any,
    ) -> Any:
        made = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale="en-US",  # the page is Chinese first whatever the browser prefers
            **context,
        )
        contexts.append(made)
        made.set_default_timeout(PAGE_SECONDS * 1000)
        page = made.new_page()
        watched.watch(page)
        page.goto((url or server.url) + query)
        page.locator(".mg-bars tbody tr").first.wait_for()
        return page

    yield open_
    for made in contexts:
        made.close()


@pytest.fixture
def page(open_page: OpenPage) -> Any:
    """The page as on a first visit, at 1280 × 900."""
    return open_page()
