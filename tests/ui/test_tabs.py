"""The tabs around the sentence: by mouse, by keyboard, by address."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.reading import chips, wait_for_alert


def selected(page: Any) -> str:
    text: str = page.get_by_role("tab", selected=True).inner_text()
    return text


def test_one_tab_is_open_and_the_arrow_keys_lead_around(page: Any) -> None:
    tabs = page.get_by_role("tab").all_inner_texts()
    assert len(tabs) >= 5
    assert selected(page) == tabs[0]
    page.get_by_role("tab", selected=True).focus()
    for key, expected in (
        ("ArrowRight", tabs[1]),
        ("ArrowLeft", tabs[0]),
        ("ArrowLeft", tabs[-1]),
        ("Home", tabs[0]),
        ("End", tabs[-1]),
        ("ArrowRight", tabs[0]),
    ):
        page.keyboard.press(key)
        assert selected(page) == expected
        assert page.evaluate("document.activeElement.textContent") == expected
        assert page.locator(".mg-panel:visible").count() == 1


def test_a_panel_is_named_by_its_tab(page: Any) -> None:
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert page.get_by_role("tabpanel", name=tab.inner_text()).is_visible()


def test_the_open_tab_is_part_of_the_address(open_page: OpenPage) -> None:
    page = open_page("?panel=sampling&tokens=4-1")
    assert page.locator("#mg-panel-sampling").is_visible()
    assert chips(page) == ["猫", "喜欢"]
    page.get_by_role("tab").first.click()
    assert "panel=lessons" in page.url


def test_a_tab_that_is_not_there_is_explained(open_page: OpenPage) -> None:
    page = open_page("?panel=nothing")
    wait_for_alert(page, "已忽略：panel。")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_open_tab_is_in_view(open_page: OpenPage, language: str, width: int) -> None:
    page = open_page(f"?lang={language}&panel=cost", width=width)
    assert _is_in_view(page)
    page.get_by_role("tab").first.focus()
    page.keyboard.press("Home")
    assert _is_in_view(page)
    page.keyboard.press("End")
    assert _is_in_view(page)


def _is_in_view(page: Any) -> bool:
    """The chosen tab whole, between the edges of the row of tabs."""
    seen: bool = page.get_by_role("tab", selected=True).evaluate(
        """tab => {
            const [one, all] = [tab, tab.parentElement].map((each) => each.getBoundingClientRect());
            return one.left >= all.left - 1 && one.right <= all.right + 1;
        }"""
    )
    return seen
