"""A double click on any button of the training panel, on a slow line, asks for nothing twice.

The other panels: tests/web/page_double_clicks.test.js. Here a training is really started.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tests.slow_line import slow
from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import open_panel

LATENCY_MS = 150  # longer than the two clicks are apart
SETTLED_MS = 250  # what a button asks for a moment later has been asked


class Calls:
    """The calls of a page that wait for their answer, and those made again before it came."""

    def __init__(self, page: Any) -> None:
        self.waiting: dict[Any, str] = {}
        self.made: list[str] = []
        self.repeated: list[str] = []
        page.on("request", self._on_request)
        page.on("requestfinished", lambda request: self.waiting.pop(request, None))
        page.on("requestfailed", lambda request: self.waiting.pop(request, None))

    def _on_request(self, request: Any) -> None:
        if "component_server" not in request.url:
            return
        body = request.post_data
        name = json.loads(body)["fn_name"]
        self.made.append(name)
        if body in self.waiting.values():
            self.repeated.append(name)
        self.waiting[request] = body


def kind_of(button: Any) -> str:
    """One name for buttons that do the same to different words or cells."""
    name: str = button.evaluate("button => `${button.className} ${button.ariaLabel ?? ''} "
                                "${button.innerText}`")  # fmt: skip
    return re.sub(r"[^A-Za-z\- ]", "", name)


def test_nothing_is_asked_for_twice(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "training", "lang=en", accept_downloads=True)
    buttons = panel.locator("button:visible:enabled")
    page.wait_for_timeout(SETTLED_MS)
    slow(page, LATENCY_MS)
    calls = Calls(page)
    tried: set[str] = set()
    place = 0
    while place < buttons.count():  # a click may bring new ones
        button = buttons.nth(place)
        kind = kind_of(button)
        place += 1
        if kind in tried:
            continue
        tried.add(kind)
        button.dblclick()
        page.wait_for_timeout(SETTLED_MS)
        assert calls.repeated == [], kind
        assert page.locator(".mg-alert-text").first.inner_text() == "", kind
    assert tried
    assert calls.made.count("training_start") == 1
