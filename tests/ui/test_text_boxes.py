"""Every text of the page can be read: nothing lies on it, nothing cuts it, at any usual width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.looks import looks
from tests.ui.panels.opening import SHOWS
from tests.ui.text_boxes import NONE, faults

PLAIN = """<style>body { margin: 0; font: 16px/1.5 sans-serif } .box { width: 200px }</style>
<main class="box"><h1>A heading that is wide</h1><p>one <b>two</b> three</p>
<div style="overflow-x: auto"><p style="width: 400px">what is scrolled is no fault: it is there</p>
</div><p style="visibility: hidden; margin-top: -2em">not seen</p></main>"""


@pytest.fixture
def plain(browser: Any) -> Iterator[Any]:
    """A small page without a fault, for what is planted in it."""
    page = browser.new_page(viewport={"width": 400, "height": 300})
    page.set_content(PLAIN)
    yield page
    page.close()


def plant(page: Any, html: str) -> None:
    """Put `html` at the page's end."""
    page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", html)


def test_a_page_without_a_fault_has_none(plain: Any) -> None:
    assert faults(plain) == NONE


def test_text_on_text_is_found(plain: Any) -> None:
    plant(plain, '<p style="position: absolute; top: 0; left: 0">on it</p>')
    (said,) = faults(plain)["overlaps"]
    assert "on it" in said
    assert "A heading" in said


def test_text_under_a_sticky_part_counts_only_where_it_shows_through(plain: Any) -> None:
    lying = '<p style="position: sticky; bottom: 270px; margin: 0{}">on it</p>'
    plant(plain, lying.format("; background: white"))
    assert faults(plain)["overlaps"] == []
    plant(plain, lying.format(""))
    assert faults(plain)["overlaps"] != []


def test_a_sticky_part_of_a_cover_is_covered_with_it(plain: Any) -> None:
    sticky = '<p style="position: sticky; top: 0; margin: 0">stays</p>'
    under = '<p style="position: absolute; top: 0; margin: 0">scrolled</p>'
    cover = '<div style="position: fixed; inset: 0 0 auto; background: white">{}</div>'
    plant(plain, cover.format(sticky))
    assert faults(plain) == NONE
    plant(plain, cover.format(sticky + under))
    (said,) = faults(plain)["overlaps"]
    assert "scrolled" in said


@pytest.mark.parametrize(
    "cut",
    [
        '<p style="width: 60px; overflow: hidden; white-space: nowrap">longer than it may be</p>',
        '<p style="width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">'
        "longer than it may be</p>",
        '<p style="width: 60px; height: 20px; overflow: clip">longer than it may be</p>',
        '<input style="width: 60px" value="longer than it may be">',
        '<svg width="60" height="20"><text y="15">longer than it may be</text></svg>',
    ],
)
def test_text_that_is_cut_is_found(plain: Any, cut: str) -> None:
    plant(plain, cut)
    (said,) = faults(plain)["cuts"]
    assert "longer than it may be" in said


def test_what_makes_the_page_scroll_sideways_is_found(plain: Any) -> None:
    plant(plain, '<p class="too-wide" style="width: 450px">wide</p>')
    assert faults(plain)["wide"] == ["the page, by 50 px", "html > body > p.too-wide"]


# The page itself. A zoom of 200 % is half the width with twice the pixels.
WIDTHS = {
    "320": (320, 700, 1),
    "390": (390, 844, 1),
    "768": (768, 1024, 1),
    "1024": (1024, 768, 1),
    "1280": (1280, 800, 1),
    "1920": (1920, 1080, 1),
    "2560": (2560, 1440, 1),
    "1280 at 200 %": (640, 400, 2),
}
LOOKS = looks(
    [(width, language) for width in WIDTHS for language in ("zh", "en")],
    [("390", "en"), ("1280", "zh")],
)
CELL = ".mg-map-cell"
WORKING = ".mg-card .mg-line-text"
# (the address, what stands there once the state has come), by state
STATES = {
    "first view": ("", CELL),
    "a cell chosen": ("&stage=blocks.0.scores&cell=0.1.0", WORKING),
    "eight words, two blocks": ("&model=trained&tokens=0-1-3-4-1-2-0-1", CELL),
    "a model with many words": ("&model=poems", CELL),
    "the film": ("&film=10", ".mg-film"),
    "a step of the tour": ("&tour=2", ".mg-tour"),
    "the tour with a working": ("&tour=5", ".mg-card"),
    "edited, switched off, sampled": (
        "&edits=lm_head.bias~0~0.5&switches=blocks.0.head.1~false&sampling=sample~0.8~3~0.9~42",
        CELL,
    ),
}
TORCH_MS = 120_000  # the gradients wait for PyTorch, on a busy machine


@pytest.mark.parametrize(("width", "language"), LOOKS)
def test_every_text_of_the_page_can_be_read(open_page: OpenPage, width: str, language: str) -> None:
    page = open_wide(open_page, f"?v=1&lang={language}", width)
    found = {}
    for state, (query, shown) in STATES.items():
        if query:
            page.goto(f"{page.url.partition('?')[0]}?v=1&lang={language}{query}")
        page.locator(".mg-bars tbody tr").first.wait_for(state="attached")
        page.locator(shown).first.wait_for()
        found[state] = settled_faults(page)
    assert {state: seen for state, seen in found.items() if seen != NONE} == {}


@pytest.mark.parametrize(("width", "language"), LOOKS)
def test_every_text_beside_an_open_panel_can_be_read(
    open_page: OpenPage, width: str, language: str
) -> None:
    page = open_wide(open_page, f"?v=1&lang={language}", width)
    page.set_default_timeout(TORCH_MS)
    found = {}
    for panel, shown in SHOWS.items():
        page.locator(f"#mg-tab-{panel}").click()
        page.locator(f"#mg-panel-{panel} {shown}").first.wait_for()
        found[panel] = settled_faults(page)
    assert {panel: seen for panel, seen in found.items() if seen != NONE} == {}


def open_wide(open_page: OpenPage, query: str, width: str) -> Any:
    """The page in a window of WIDTHS; nothing in it moves by itself."""
    wide, high, pixels = WIDTHS[width]
    options = {"device_scale_factor": pixels, "reduced_motion": "reduce"}
    return open_page(query, width=wide, height=high, **options)


def settled_faults(page: Any) -> dict[str, list[str]]:
    """What cannot be read once the fonts are there and what observes a size has drawn."""
    page.evaluate(
        """async () => {
            await document.fonts.ready;
            for (let frame = 0; frame < 3; frame += 1)
                await new Promise((resolve) => requestAnimationFrame(resolve));
        }"""
    )
    return faults(page)
