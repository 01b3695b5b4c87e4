"""The map has room for its texts in every usual set of fonts, not in this machine's alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ui.conftest import PAGE_SECONDS, Watched
from tests.ui.fonts import FONT_SETS, FontSet, restricted
from tests.ui.started import StartedServer

WIDTHS = (390, 768, 1280, 1920)
LESSONS = "tokens=0-1&lang=en"  # English names are the longer ones
OTHERS = (
    "tokens=0&lang=zh",
    "tokens=0&lang=en",
    "tokens=0-1&lang=zh",
    "model=trained&tokens=0-1-3&lang=zh",
    "model=trained&tokens=0-1-3&lang=en",
    "model=trained&tokens=0-1-3-4-1-2-0-1&lang=zh",
    "model=trained&tokens=0-1-3-4-1-2-0-1&lang=en",
)

OVERLAPS = """() => {
    const text = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()];
    };
    const named = (name, rects) => rects.map(({ left, top, right, bottom }) =>
        ({ name, left: left + 1, top: top + 2, right: right - 1, bottom: bottom - 2 }));
    const boxes = [];
    for (const heading of document.querySelectorAll(".mg-map-name, .mg-map-term"))
        boxes.push(...named(heading.textContent, text(heading)));
    for (const tag of document.querySelectorAll(".mg-map-tag, .mg-map-title, .mg-map-answer"))
        boxes.push(...named(tag.textContent, [tag.getBoundingClientRect()]));
    for (const row of document.querySelectorAll(".mg-map-row"))
        boxes.push(...named("cells", [row.getBoundingClientRect()]));
    for (const word of document.querySelectorAll(".mg-map-word"))
        boxes.push(...named("word", [word.getBoundingClientRect()]));
    const frame = document.querySelector(".mg-map-board").getBoundingClientRect();
    const found = [];
    boxes.forEach((one, at) => {
        if (one.left < frame.left - 2 || one.right > frame.right + 2) found.push(`${one.name} out`);
        for (const other of boxes.slice(at + 1)) {
            if (one.name === "cells" && other.name === "cells") continue;
            if (one.left < other.right && other.left < one.right
                && one.top < other.bottom && other.top < one.bottom)
                found.push(`${one.name} on ${other.name}`);
        }
    });
    return found;
}"""

Show = Callable[[str], Any]


@pytest.fixture(params=FONT_SETS)
def show(
    request: pytest.FixtureRequest,
    launch: Callable[..., Any],
    server: StartedServer,
    watched: Watched,
    tmp_path: Path,
) -> Iterator[Show]:
    """`show(query)` -> the page in a browser that has only one set of fonts."""
    font_set: FontSet = FONT_SETS[request.param]
    browser = launch(**restricted(font_set, tmp_path))
    page = browser.new_context(locale="en-US").new_page()
    page.set_default_timeout(PAGE_SECONDS * 1000)
    watched.watch(page)

    def show_(query: str) -> Any:
        page.goto(f"{server.url}?v=1&{query}")
        page.locator(".mg-map-cell").first.wait_for()
        if font_set.played:
            page.add_style_tag(content=font_set.style())
            page.evaluate("document.fonts.ready")
        return page

    yield show_
    browser.close()


def test_no_text_lies_on_another_or_on_a_cell(show: Show) -> None:
    assert lying_on_others(show(LESSONS)) == {}


@pytest.mark.long("seven sentences in five sets of fonts, each at four widths")
def test_nor_in_other_sentences_and_models(show: Show) -> None:
    found = {query: lying_on_others(show(query)) for query in OTHERS}
    assert {query: texts for query, texts in found.items() if texts} == {}


def lying_on_others(page: Any) -> dict[int, list[str]]:
    """Per width, what lies on something else or makes the page scroll sideways, if anything."""
    found: dict[int, list[str]] = {}
    for width in WIDTHS:
        resize(page, width)
        texts: list[str] = page.evaluate(OVERLAPS)
        if page.evaluate("document.documentElement.scrollWidth") != width:
            texts.append("the page is wider than the window")
        if texts:
            found[width] = texts
    return found


def test_a_text_that_has_no_room_is_found(page: Any) -> None:
    """The measure itself: one heading put where another is, one font made too large."""
    assert page.evaluate(OVERLAPS) == []
    page.add_style_tag(content=".mini-gpt .mg-map-name { font-size: 30px; }")
    assert len(page.evaluate(OVERLAPS)) > 10


def resize(page: Any, width: int) -> None:
    """Give the window this width, and return when the map is drawn for it."""
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function(
        """width => {
            const board = document.querySelector(".mg-map-board");
            const now = `${window.innerWidth} ${board?.offsetWidth} ${board?.offsetHeight}`;
            const isStill = window.lastBoard === now;
            window.lastBoard = now;
            return isStill && window.innerWidth === width;
        }""",
        arg=width,
        polling=60,
    )
