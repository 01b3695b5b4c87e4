"""Lessons and the printed worksheet in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import WIDTHS, open_panel, overflow
from tests.ui.reading import alert, chips, wait_for_alert, wait_for_chips

TITLE = {"zh": "为什么要位置", "en": "Why positions"}
START = {"zh": "开始: 为什么要位置", "en": "Start: Why positions"}
NEXT = {"zh": "下一步", "en": "Next"}


def strip(page: Any) -> Any:
    return page.locator(".mg-lesson")


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_lesson_from_start_to_finish(open_page: OpenPage, width: int, language: str) -> None:
    page = open_page(f"?v=1&lang={language}&tokens=4-1&panel=lessons", width=width)
    page.get_by_role("button", name=START[language]).click()
    wait_for_chips(page, ["我", "我"])
    on = strip(page).get_by_role("button", name=NEXT[language])
    on.click()
    page.locator('[data-key="position_embeddings"] .mg-zero').nth(7).wait_for()
    on.click()
    on.click()
    field = strip(page).get_by_role("textbox")
    field.fill("0.25")
    field.press("Enter")
    strip(page).locator('[data-grade="wrong"]').wait_for()
    field.fill("😀")
    field.press("Enter")
    wait_for_alert(page, "😀")
    assert strip(page).locator('[data-grade="wrong"]').count() == 0
    field.fill("0.5")
    field.press("Enter")
    strip(page).locator('[data-grade="right"]').wait_for()
    assert alert(page) == ""  # the complaint went with its cause
    assert overflow(page, "lessons") == []
    strip(page).get_by_role("button", name={"zh": "完成", "en": "Finish"}[language]).click()
    wait_for_chips(page, ["猫", "喜欢"])  # what the person had
    assert not strip(page).is_visible()
    page.reload()
    done = {"zh": "再走一遍: 为什么要位置", "en": "Again: Why positions"}[language]
    page.get_by_role("button", name=done).wait_for()


def test_leaving_a_lesson_puts_everything_back(open_page: OpenPage) -> None:
    page = open_page("?v=1&tokens=3&switches=causal_mask~false&panel=lessons")
    page.get_by_role("button", name="开始: 为什么要遮罩").click()
    wait_for_chips(page, ["我", "喜欢"])
    assert "switches" not in page.url
    strip(page).get_by_role("button", name="离开这节课").click()
    wait_for_chips(page, ["学习"])
    assert "switches=causal_mask~false" in page.url
    assert chips(page) == ["学习"]


def test_layer_norm_of_1_2_3_4_is_worked_out(open_page: OpenPage) -> None:
    _, panel = open_panel(open_page, "lessons", "lang=en")
    example = panel.locator(".mg-example")
    for text in (
        "(1 + 2 + 3 + 4) ÷ 4 = 2.5",
        "((−1.5)² + (−0.5)² + 0.5² + 1.5²) ÷ 4 = 1.25",
        "√(1.25 + 0.00001) ≈ 1.118",
        "1.5 ÷ 1.118 ≈ 1.342",
    ):
        example.get_by_text(text).last.wait_for()


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("is_solution", [False, True])
def test_the_worksheet_is_printed_alone(
    open_page: OpenPage, language: str, is_solution: bool
) -> None:
    page = open_page(f"?v=1&lang={language}")
    page.evaluate("window.print = () => { window.printed = true; }")
    name = {
        "zh": ("打印练习页", "打印答案页"),
        "en": ("Print the worksheet", "Print the solution"),
    }[language][is_solution]
    page.get_by_role("button", name=name).click()
    page.wait_for_function("window.printed")
    sheet = page.locator(".mg-sheet")
    assert not sheet.is_visible()  # on the screen
    page.emulate_media(media="print")
    sheet.wait_for()
    assert not page.locator(".mg-chips").is_visible()
    assert not page.get_by_role("tablist").first.is_visible()
    stops = sheet.locator(".mg-sheet-stop")
    assert stops.count() == 19
    blanks = sheet.locator(".mg-sheet-blank").all_inner_texts()
    assert all(bool(text) == is_solution for text in blanks)
    assert ("0.4835" in sheet.inner_text()) == is_solution
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert sheet.count() == 0
    page.emulate_media(media="screen")
    assert page.locator(".mg-chips").is_visible()
