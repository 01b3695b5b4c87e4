"""What must be in view, and what must not move under a person's eyes."""

from __future__ import annotations

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.looks import looks
from tests.ui.reading import open_more

LANGUAGES = ("zh", "en")
PANEL_LOOKS = [(1280, "zh"), (1280, "en"), (390, "en")]
THEMES = {"zh": False, "en": True}  # dark or not: each look is seen once
TOP = "selector => document.querySelector(selector).getBoundingClientRect().top + scrollY"
TOO_WIDE = "({ parentElement: box }) => box.scrollWidth - box.clientWidth"
OVER_BORDER = """() => [...document.querySelectorAll(".mg-map-side .mg-map-name")]
    .map((name) => [name.textContent, name.getBoundingClientRect()])
    .filter(([, box]) => ![...document.querySelectorAll(".mg-map-panel")].some((panel) => {
        const { left, right } = panel.getBoundingClientRect();
        return left <= box.left && box.right <= right;
    }))
    .map(([name]) => name)"""


@pytest.mark.parametrize(
    ("width", "height", "lang"),
    looks(
        [
            (1280, 800, "zh"),
            (1280, 800, "en"),
            (1280, 640, "zh"),
            (390, 844, "en"),
            (640, 400, "zh"),
        ],
        [(1280, 800, "zh"), (640, 400, "zh")],
    ),
)
def test_the_films_bar_is_in_view_and_covers_nothing_that_is_shown(
    open_page: OpenPage, width: int, height: int, lang: str
) -> None:
    page = open_page(
        f"?v=1&lang={lang}&film=0", width=width, height=height, dark=THEMES[lang],
        reduced_motion="reduce",
    )  # fmt: skip
    shown = set()
    for _ in range(23):
        now = page.locator(".mg-film-now")
        bar = page.locator(".mg-film").bounding_box()
        assert bar["y"] + bar["height"] <= height + 1
        row = page.locator(".mg-sentence").bounding_box()
        for stage in now.all():
            key = stage.get_attribute("data-stage")
            shown.add(key)
            cells = stage.locator(".mg-map-cells").bounding_box()
            top, bottom = cells["y"] + 5, cells["y"] + cells["height"] - 5  # without its margin
            room = bar["y"] - row["y"] - row["height"]
            if key == "vocabulary_probs" or bottom - top > room:
                continue  # its bars are shown; higher than the room there is
            assert top >= row["y"] + row["height"] - 1, key
            assert bottom <= bar["y"] + 1, key
        if (width, height) == (1280, 800):  # then the whole map fits
            board = page.locator(".mg-map-board").bounding_box()
            assert board["y"] + board["height"] <= bar["y"]
        page.locator(".mg-film-range").press("ArrowRight")
    assert len(shown) > 20
    page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.style.scrollPaddingBottom") == ""


@pytest.mark.parametrize(
    ("width", "lang"),
    looks(
        [(width, lang) for width in (390, 640, 900, 1280, 1600) for lang in LANGUAGES],
        [(390, "en"), (1280, "zh")],
    ),
)
def test_nothing_jumps_when_a_part_is_switched_off(
    open_page: OpenPage, width: int, lang: str
) -> None:
    page = open_page(
        f"?v=1&lang={lang}&panel=weights", width=width, dark=THEMES[lang], has_touch=width < 900
    )
    switch = page.locator(".mg-switch").nth(1)
    switch.wait_for()
    page.locator(".mg-difference").filter(has_text="10").wait_for()
    before = page.evaluate(TOP, ".mg-map-frame"), switch.bounding_box()
    switch.evaluate("one => one.click()")
    page.locator(".mg-changed").wait_for()
    assert (page.evaluate(TOP, ".mg-map-frame"), switch.bounding_box()["y"]) == (
        before[0],
        before[1]["y"],
    )
    box = page.locator(".mg-changed-place").bounding_box()
    buttons = page.locator(".mg-changed .mg-button").all()
    assert all(
        button.bounding_box()["x"] + button.bounding_box()["width"] <= box["x"] + box["width"] + 1
        for button in buttons
    )


@pytest.mark.parametrize(("width", "lang"), looks(PANEL_LOOKS, [(1280, "zh")]))
def test_the_headings_of_the_switches_stay_in_view(
    open_page: OpenPage, width: int, lang: str
) -> None:
    page = open_page(f"?v=1&lang={lang}&panel=weights&tour=2", width=width, dark=THEMES[lang])
    page.locator(".mg-switch").nth(8).wait_for()
    page.locator(".mg-switch").nth(8).evaluate("one => one.scrollIntoView({ block: 'center' })")
    head = page.locator(".mg-switches > thead").bounding_box()
    body = page.locator(".mg-aside-body").bounding_box()
    lesson = page.locator(".mg-lesson-place").bounding_box()
    assert abs(head["y"] - body["y"] - lesson["height"]) <= 2
    assert page.locator(".mg-switches").evaluate(
        "table => getComputedStyle(table.parentElement).backgroundImage"
    ) == "none"  # fmt: skip


@pytest.mark.parametrize(("width", "lang"), looks(PANEL_LOOKS, [(390, "en")]))
def test_the_steps_of_sampling_fit_into_the_panel(
    open_page: OpenPage, width: int, lang: str
) -> None:
    for sampling in ("", "&sampling=sample~0.8~2~0.9~42", "&sampling=sample~0~0~1~0"):
        page = open_page(
            f"?v=1&lang={lang}&panel=sampling{sampling}", width=width, dark=THEMES[lang]
        )
        steps = page.locator(".mg-steps")
        steps.wait_for()
        assert steps.evaluate(TOO_WIDE) <= 0, sampling


@pytest.mark.parametrize("lang", looks(LANGUAGES, ["zh"]))
def test_the_button_that_trains_is_seen_when_the_panel_opens(
    open_page: OpenPage, lang: str
) -> None:
    page = open_page(f"?v=1&lang={lang}&panel=training", height=800)
    button = page.locator(".mg-training-actions .mg-primary")
    button.wait_for()
    fields = page.locator(".mg-training-fields")
    for block in (None, "end"):
        if block:
            fields.evaluate("(fields, block) => fields.scrollIntoView({ block })", block)
        body, box = page.locator(".mg-aside-body").bounding_box(), button.bounding_box()
        assert body["y"] <= box["y"]
        assert box["y"] + box["height"] <= body["y"] + body["height"]


@pytest.mark.parametrize("lang", looks(LANGUAGES, ["zh"]))
def test_no_heading_stands_over_its_groups_border(open_page: OpenPage, lang: str) -> None:
    for width in (1280, 1600):
        page = open_page(f"?v=1&lang={lang}", width=width)
        assert page.evaluate(OVER_BORDER) == [], width


@pytest.mark.parametrize("lang", looks(LANGUAGES, ["zh"]))
def test_the_name_of_an_engine_breaks_between_its_words(open_page: OpenPage, lang: str) -> None:
    for width in (1280, 390):
        page = open_page(f"?v=1&lang={lang}&panel=runtimes", width=width)
        names = page.locator(".mg-runtimes-table tbody th")
        names.first.wait_for()
        broken = names.evaluate_all(
            """names => names.flatMap((name) => {
                const text = name.firstChild;
                return [...text.data.matchAll(/[\\w.]+/g)].filter(({ 0: word, index }) => {
                    const range = document.createRange();
                    range.setStart(text, index);
                    range.setEnd(text, index + word.length);
                    return range.getClientRects().length > 1;
                }).map(([word]) => word);
            })"""
        )
        assert broken == [], width


def test_the_way_to_a_cell_by_keyboard_is_told_where_there_is_one(open_page: OpenPage) -> None:
    page = open_page("?v=1&lang=en")
    assert "↓ into the cells" in page.locator(".mg-map-hint").inner_text()
    phone = open_page("?v=1&lang=en", width=390, has_touch=True, is_mobile=True)
    assert "↓" not in phone.locator(".mg-map-hint").inner_text()


@pytest.mark.parametrize("lang", looks(LANGUAGES, ["zh"]))
def test_a_sampling_field_says_at_once_what_it_cannot_be(open_page: OpenPage, lang: str) -> None:
    page = open_page(f"?v=1&lang={lang}&sampling=sample~1~0~1~0")
    open_more(page)
    fields = page.locator(".mg-settings input")
    told = page.locator(".mg-draw-note")
    settings = page.locator(".mg-settings").bounding_box()
    for number, typed in enumerate(("abc", "1.5", "🙂", "")):
        fields.nth(number).fill(typed)
        assert fields.nth(number).get_attribute("aria-invalid") == "true"
        needs = told.inner_text()
        assert "mg-problem" in told.get_attribute("class")
        fields.nth(number).fill("1")
        assert fields.nth(number).get_attribute("aria-invalid") is None
        assert told.inner_text() != needs
    assert page.locator(".mg-settings").bounding_box() == settings
    fields.first.fill("")
    page.locator(".mg-row .mg-primary").click()
    alert = page.get_by_role("alert").locator(".mg-alert-text")
    alert.filter(has_text={"zh": "空的", "en": "nothing"}[lang]).wait_for()


@pytest.mark.parametrize("lang", looks(LANGUAGES, ["zh"]))
def test_a_choice_that_is_not_to_be_had_is_not_struck_through(
    open_page: OpenPage, lang: str
) -> None:
    page = open_page(f"?v=1&lang={lang}&panel=compare")
    option = page.locator(".mg-side-choice .mg-option").nth(1)
    option.wait_for()
    style = "one => getComputedStyle(one).textDecorationLine"
    assert option.locator(".mg-segment").evaluate(style) == "none"
    assert option.locator(".mg-segment").inner_text() in page.locator(".mg-side-why").inner_text()
