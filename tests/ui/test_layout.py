"""What only a laid-out page shows: widths, what stays in view, what lies under what."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage

LONG = "-".join(["1"] * 60)
SAMPLED = "sampling=sample~1~0~1~0"
LANGUAGES = ("zh", "en")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 900), (1920, 1080)])
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
        _the_open_tab_is_in_view(page)
        page.locator(".mg-tools button").last.click()
    _the_sentence_stays_in_view(page, ".mg-palette" if width == 390 else ".mg-bars")
    _the_focus_is_not_under_the_sentence(page, ".mg-write" if width == 390 else ".mg-sentence")


def test_fingers_reach_what_they_are_for_and_motion_can_be_off(open_page: OpenPage) -> None:
    page = open_page(f"?{SAMPLED}", width=390, height=844, has_touch=True, reduced_motion="reduce")
    small = page.locator(
        ".mg-header button, .mg-sentence button, .mg-sentence input:not([type=radio]),"
        " .mg-sentence .mg-segment"
    ).evaluate_all(
        """elements => elements.filter((element) => element.offsetParent)
            .map((element) => [element.className, element.getBoundingClientRect()])
            .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
            .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
    )
    assert small == []
    bar = page.locator(".mg-bar").first
    assert bar.evaluate("bar => getComputedStyle(bar).transitionDuration") == "0s"


def _the_last_word_is_in_view(page: Any, width: int) -> None:
    box = page.locator(".mg-chip.mg-last").bounding_box()
    assert 0 < box["x"] < width
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


def _the_open_tab_is_in_view(page: Any) -> None:
    """The chosen tab whole, between the edges of the row of tabs."""
    page.get_by_role("tab", selected=True).focus()
    for key in ("Home", "End"):
        page.keyboard.press(key)
        assert page.get_by_role("tab", selected=True).evaluate(
            """tab => {
                const [one, all] = [tab, tab.parentElement]
                    .map((each) => each.getBoundingClientRect());
                return one.left >= all.left - 1 && one.right <= all.right + 1;
            }"""
        ), key


def _the_sentence_stays_in_view(page: Any, part: str) -> None:
    page.evaluate("window.scrollTo(0, 0)")
    page.evaluate(
        """() => {
            const tall = document.createElement("div");
            tall.style.height = "4000px";
            document.querySelector(".mg-main").append(tall);
        }"""
    )
    page.mouse.wheel(0, 2500)
    page.wait_for_function("window.scrollY > 1500")
    for name in (".mg-chips", part):
        box = page.locator(name).bounding_box()
        assert 0 <= box["y"] <= 300, name


def _the_focus_is_not_under_the_sentence(page: Any, bar: str) -> None:
    page.locator(".mg-footer button").focus()
    page.wait_for_function("window.scrollY > 500")
    page.locator(".mg-tab").first.focus()
    page.wait_for_function(
        """bar => {
            const above = document.querySelector(bar).getBoundingClientRect();
            const tab = document.querySelector(".mg-tab").getBoundingClientRect();
            return tab.top >= above.bottom - 1;
        }""",
        arg=bar,
    )
