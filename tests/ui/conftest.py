"""A started page and a real browser for the tests of the page.

`open_page` opens a page at a given size, as a visitor
who was never here; when the test ends, every page opened that way must have written nothing to the
console (warnings and errors) and must have asked no other host for anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.ui.started import StartedServer
from tests.ui.visits import Visits

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


@pytest.fixture(scope="session")
def shared_visits(browser: Any) -> Iterator[Visits]:
    """The browser contexts that all tests share."""
    visits = Visits(browser)
    yield visits
    visits.close()


@pytest.fixture
def visits(shared_visits: Visits) -> Iterator[Visits]:
    """The shared contexts, for one test's visitors: its pages are closed when it ends."""
    yield shared_visits
    shared_visits.end()


@pytest.fixture
def open_page(visits: Visits, server: StartedServer, watched: Watched) -> OpenPage:
    """`open_page(query="", width=1280, height=900, dark=False, url=None)` -> a page with numbers.

    Each call is a first visit: nothing is stored. Further keyword arguments go to
    `browser.new_context` (`has_touch`, `reduced_motion`…).
    """

    def open_(
        query: str = "",
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        url: str | None = None,
        **context: Any,
    ) -> Any:
        address = url or server.url
        page = visits.begin(address, dark=dark, seconds=PAGE_SECONDS, **context)
        page.set_viewport_size({"width": width, "height": height})
        watched.watch(page)
        page.goto(address + query)
        page.locator(".mg-bars tbody tr").first.wait_for(state="attached")
        return page

    return open_


@pytest.fixture
def page(open_page: OpenPage) -> Any:
    """The page as on a first visit, at 1280 × 900."""
    return open_page()
