"""What only a laid-out page shows: widths, what is in view at once, what lies under what."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.looks import looks
from tests.ui.reading import open_more

LONG = "-".join(["1"] * 60)
SAMPLED = "sampling=sample~1~0~1~0"
LANGUAGES = ("zh", "en")
WIDE = [(1280, 800), (1920, 1080)]
SIZES = [(390, 844), *WIDE]
TRAINED = "model=trained&tokens=0-1-3"
LAST_LINE = ".mg-card .mg-line-text"

# Whether all of an element is in the window; and which other element lies over its middle.
SEEN = """element => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const inside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isFree = element.contains(over) || over?.contains(element);
    return inside && isFree ? "" : JSON.stringify(
        { left, top, right, bottom, over: over?.className?.baseVal ?? over?.className });
}"""


def is_seen(locator: Any) -> str:
    """Nothing if all of it is in view; else where it is and what is over it."""
    found: str = locator.evaluate(SEEN)
    return found


def scrolled(page: Any) -> float:
    """How far the page is scrolled down, in px."""
    found: float = page.evaluate("window.scrollY")
    return found


@pytest.mark.parametrize(("width", "height"), looks(SIZES, [(390, 844), (1280, 800)]))
def test_the_page_has_room_in_both_languages_and_themes(
    open_page: OpenPage, width: int, height: int
) -> None:
    page = open_page(f"?tokens={LONG}&{SAMPLED}&panel=cost", width=width, height=height)
    _the_last_word_is_in_view(page, width)
    _the_theme_changes(page)
    for _ in LANGUAGES:
        for _ in ("light", "dark"):
            assert page.evaluate("document.documentElement.scrollWidth") == width
            page.locator(".mg-tools button").first.click()
        _every_tab_is_in_view(page)
        page.locator(".mg-tools button").last.click()
    _the_sentence_stays_in_view(page)
    _the_focus_is_not_under_the_sentence(page)


@pytest.mark.parametrize(
    ("width", "height", "lang"),
    looks(
        [(*size, lang) for size in WIDE for lang in LANGUAGES],
        [(1280, 800, "zh"), (1920, 1080, "en")],
    ),
)
def test_the_first_view_holds_the_sentence_the_map_and_the_answer(
    open_page: OpenPage, width: int, height: int, lang: str
) -> None:
    page = open_page(f"?lang={lang}", width=width, height=height)
    _all_is_seen(page)
    page.locator("#mg-tab-compare").click()
    page.locator(".mg-aside").wait_for()
    if width >= 1600:
        _all_is_seen(page)
    _heading(page, "blocks.0.query").click()
    page.locator(LAST_LINE).first.wait_for()
    if width >= 1600:
        _all_is_seen(page)
    assert scrolled(page) == 0


def test_what_opens_beside_the_map_does_not_draw_it_anew(open_page: OpenPage) -> None:
    for width, height in WIDE:
        page = open_page(width=width, height=height)
        page.evaluate("window.board = document.querySelector('.mg-map-board')")
        before = page.locator(".mg-map-board").bounding_box()
        page.locator("#mg-tab-weights").click()
        page.locator(".mg-weight-input").first.wait_for()
        assert page.locator(".mg-map-board").bounding_box() == before
        assert page.evaluate("window.board === document.querySelector('.mg-map-board')")


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_only_read_out_does_not_make_the_page_longer(
    open_page: OpenPage, width: int
) -> None:
    """All of the page is the map and its footer, however long what is open beside it is."""
    page = open_page(width=width, height=800)
    _heading(page, "blocks.0.query").click()
    page.locator(LAST_LINE).first.wait_for()
    assert page.evaluate(
        """() => {
            const { bottom } = document.querySelector(".mini-gpt").getBoundingClientRect();
            return document.documentElement.scrollHeight - Math.ceil(bottom + window.scrollY);
        }"""
    ) <= 1  # fmt: skip


@pytest.mark.parametrize(
    ("width", "lang"),
    looks(
        [(width, lang) for width in (900, 1280, 1920) for lang in LANGUAGES],
        [(900, "en"), (1280, "zh")],
    ),
)
def test_the_sentence_row_is_one_row(open_page: OpenPage, width: int, lang: str) -> None:
    for more in ("", f"&tokens={LONG}", "&tokens=", "&tokens=9"):  # the last: a message is shown
        page = open_page(f"?lang={lang}{more}", width=width)
        assert page.locator(".mg-sentence").bounding_box()["height"] <= 64.5, more
        assert is_seen(page.locator(".mg-more-button")) == "", more
        assert is_seen(page.locator(".mg-row .mg-primary")) == "", more
    page.get_by_role("alert").locator(".mg-alert-text").filter(has_text="tokens").wait_for()
    open_more(page)
    assert page.locator(".mg-sentence").bounding_box()["height"] <= 64.5


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_choosing_a_cell_scrolls_nothing_and_covers_nothing(
    open_page: OpenPage, width: int, height: int
) -> None:
    page = open_page(width=width, height=height, has_touch=width < 900)
    for key in ("token_embeddings", "vocabulary_probs"):
        cells = page.locator(f'[data-stage="{key}"] [role=gridcell]')
        for cell in (cells.first, cells.last):
            if width < 900:
                page.keyboard.press("Escape")
                _bring_into_the_upper_half(page, cell)
            before = scrolled(page)
            _press(cell, width)
            page.locator(LAST_LINE).first.wait_for()
            assert scrolled(page) == before, key
            assert is_seen(cell.locator("rect").first) == "", key


def test_a_cell_low_on_a_phone_is_moved_above_the_sheet(open_page: OpenPage) -> None:
    page = open_page(width=390, height=844, has_touch=True)
    cell = page.locator('[data-stage="residual_0"] [role=gridcell]').last
    cell.evaluate("cell => window.scrollBy(0, cell.getBoundingClientRect().bottom - innerHeight)")
    before = scrolled(page)
    cell.tap()
    page.locator(LAST_LINE).first.wait_for()
    assert is_seen(cell.locator("rect").first) == ""
    assert is_seen(page.locator(LAST_LINE).first) == "", (
        "the sheet does not show what was tapped for"
    )
    assert before <= scrolled(page) <= before + 844 / 2


@pytest.mark.parametrize("width", [1280, 390])
def test_every_stage_opens_with_a_line_of_its_working(open_page: OpenPage, width: int) -> None:
    page = open_page(width=width)
    stages = page.locator(".mg-map-stage").evaluate_all(
        "stages => [...new Set(stages.map((stage) => stage.dataset.stage))]"
    )
    assert len(stages) > 15
    for key in stages:
        _heading(page, key).evaluate("heading => heading.click()")
        page.wait_for_function(
            "key => new URLSearchParams(location.search).get('stage') === key"
            " && new URLSearchParams(location.search).get('cell')",
            arg=key,
        )
        told = page.locator(".mg-card .mg-card-place code").filter(has_text=key)
        told.wait_for()
        assert page.locator(LAST_LINE).first.inner_text().strip(), key


@pytest.mark.parametrize(
    ("width", "height", "lang"),
    looks(
        [(*size, lang) for size in ((1280, 800), (390, 844)) for lang in LANGUAGES],
        [(1280, 800, "zh"), (390, 844, "en")],
    ),
)
def test_a_tool_is_in_view_one_click_from_the_first_screen(
    open_page: OpenPage, width: int, height: int, lang: str
) -> None:
    page = open_page(f"?lang={lang}", width=width, height=height)
    for tab in page.get_by_role("tab").all():
        assert is_seen(tab) == ""
        tab.click()
        panel = page.locator(f"#{tab.get_attribute('aria-controls')}")
        panel.locator("h2").first.wait_for()
        assert tab.get_attribute("aria-selected") == "true"
        assert is_seen(panel.locator("h2").first) == ""
        assert is_seen(page.locator(".mg-aside")) == ""
        assert scrolled(page) == 0
        tab.click()
        assert not panel.is_visible()
        assert not page.locator(".mg-aside").is_visible()


def test_one_is_in_front_and_escape_closes_what_is(open_page: OpenPage) -> None:
    page = open_page("?lang=en")
    page.locator("#mg-tab-cost").click()
    _heading(page, "logits").click()
    working, panel = page.locator(".mg-working-area"), page.locator("#mg-panel-cost")
    page.locator(LAST_LINE).first.wait_for()
    assert (working.is_visible(), panel.is_visible()) == (True, False)
    page.get_by_role("button", name="What a token costs", exact=True).click()
    assert (working.is_visible(), panel.is_visible()) == (False, True)
    page.keyboard.press("Escape")
    assert (working.is_visible(), panel.is_visible()) == (True, False)
    page.locator(".mg-aside-close").click()
    assert not page.locator(".mg-aside").is_visible()
    assert "stage=" not in page.url


def test_fingers_reach_what_they_are_for_and_motion_can_be_off(open_page: OpenPage) -> None:
    page = open_page(
        f"?v=1&stage=logits&{SAMPLED}", width=390, height=844, has_touch=True,
        reduced_motion="reduce",
    )  # fmt: skip
    open_more(page)
    page.locator(LAST_LINE).first.wait_for()
    small = page.locator(
        ".mg-header button, .mg-sentence button, .mg-sentence input:not([type=radio]),"
        " .mg-sentence .mg-segment, .mg-map-tools :is(.mg-segment, button, summary),"
        " .mg-aside-head button,"
        " .mg-working-bar :is(button, select)"
    ).evaluate_all(
        """elements => elements.filter((element) => element.offsetParent)
            .map((element) => [element.className, element.getBoundingClientRect()])
            .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
            .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
    )
    assert small == []
    bar = page.locator(".mg-bar").first
    assert bar.evaluate("bar => getComputedStyle(bar).transitionDuration") == "0s"


def _heading(page: Any, key: str) -> Any:
    return page.locator(f'[data-stage="{key}"] .mg-map-heading-text').first


def _press(cell: Any, width: int) -> None:
    if width < 900:
        cell.tap()
    else:
        cell.click()


def _bring_into_the_upper_half(page: Any, cell: Any) -> None:
    cell.evaluate("cell => window.scrollBy(0, cell.getBoundingClientRect().top - innerHeight / 3)")
    page.wait_for_timeout(50)


def _all_is_seen(page: Any) -> None:
    assert scrolled(page) == 0
    for part in (".mg-chips", ".mg-palette", ".mg-bars"):
        assert is_seen(page.locator(part)) == "", part
    board = page.locator(".mg-map-board").bounding_box()
    window = page.viewport_size
    assert board["y"] + board["height"] <= window["height"]
    assert board["x"] >= 0
    aside = page.locator(".mg-aside")
    edge = aside.bounding_box()["x"] if aside.is_visible() else window["width"]
    assert board["x"] + board["width"] <= edge


_LAST_WORD_IS_IN_VIEW = """
width => {
  const box = document.querySelector(".mg-chip.mg-last")?.getBoundingClientRect();
  return Boolean(box) && 0 < box.x && box.right <= width;
}
"""


def _the_last_word_is_in_view(page: Any, width: int) -> None:
    page.wait_for_function(_LAST_WORD_IS_IN_VIEW, arg=width)  # it is drawn again when numbers come
    assert is_seen(page.locator(".mg-chip.mg-last")) == ""
    style = "chip => getComputedStyle(chip).color"
    outside, inside = (
        page.locator(f".mg-chip.mg-{where}").first for where in ("outside", "inside")
    )
    assert outside.evaluate(style) != inside.evaluate(style)
    bracket = "chip => getComputedStyle(chip, '::before').borderLeftWidth"
    assert inside.evaluate(bracket) == "2px"


def _the_theme_changes(page: Any) -> None:
    background = "getComputedStyle(document.querySelector('.mg-sentence')).backgroundColor"
    light = page.evaluate(background)
    switch = page.locator(".mg-tools button").first
    switch.click()
    assert page.evaluate(background) != light
    switch.click()
    assert page.evaluate(background) == light


def _every_tab_is_in_view(page: Any) -> None:
    """The chosen tab whole, whichever the keys lead to."""
    page.get_by_role("tab", selected=True).focus()
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
        assert is_seen(page.get_by_role("tab", selected=True)) == "", key


def _the_sentence_stays_in_view(page: Any) -> None:
    page.evaluate("window.scrollTo(0, 0)")
    page.evaluate(
        """() => {
            const tall = document.createElement("div");
            tall.style.height = "4000px";
            document.querySelector(".mg-main").append(tall);
        }"""
    )
    page.mouse.move(page.viewport_size["width"] / 3, 400)
    page.mouse.wheel(0, 2500)
    page.wait_for_function("window.scrollY > 1500")
    for name in (".mg-chips", ".mg-palette", ".mg-row .mg-primary"):
        box = page.locator(name).first.bounding_box()
        assert 0 <= box["y"] <= 300, name


def _the_focus_is_not_under_the_sentence(page: Any) -> None:
    page.locator(".mg-footer button").focus()
    page.wait_for_function("window.scrollY > 500")
    tool = page.locator(".mg-map-tools .mg-take > summary")
    tool.focus()
    page.wait_for_function(
        """() => {
            const above = document.querySelector(".mg-sentence").getBoundingClientRect();
            const focused = document.activeElement.getBoundingClientRect();
            return focused.top >= above.bottom - 1 && focused.bottom <= innerHeight;
        }"""
    )
