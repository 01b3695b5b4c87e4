"""A flow a panel in a real browser, for what a document without one does not show: real keys,
focus and clipboard, print media, downloads. Each panel's other claims: tests/web/panel_*.test.js.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from export.shipped import FILES
from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import WIDTHS, open_panel, overflow
from tests.ui.reading import PROMPT_A, bars, press, wait_for_bars, wait_for_chips


def focused(page: Any) -> str:
    """What the element with the focus says."""
    text: str = page.evaluate("document.activeElement.textContent")
    return text


def test_weights_are_typed_pasted_and_put_back(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "weights", "lang=en")
    first = page.get_by_role("textbox", name="我 · channel 0")
    first.fill("1")
    page.keyboard.press("ArrowDown")  # leaving the cell commits it
    page.keyboard.type("2")  # the focus selected what was there
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('.mg-cell-changed').length === 2")
    first.evaluate(
        """cell => {
            cell.focus();
            const data = new DataTransfer();
            data.setData("text/plain", "1\\t2\\n3\\t4\\n");
            const how = { clipboardData: data, cancelable: true };
            cell.dispatchEvent(new ClipboardEvent("paste", how));
        }"""
    )
    page.wait_for_function("document.querySelectorAll('.mg-cell-changed').length === 4")
    typed = panel.locator(".mg-cell-changed input")
    assert [box.input_value() for box in typed.all()] == ["1", "2", "3", "4"]
    panel.get_by_role("switch", name="Head 2").click()
    page.wait_for_function("location.search.includes('switches=')")
    assert bars(page) != PROMPT_A
    press(page, "Reset")
    wait_for_bars(page, PROMPT_A)


def test_a_compared_value_keeps_the_focus(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "compare", "lang=en")
    panel.get_by_role("button", name="residual_0").focus()
    page.keyboard.press("Enter")
    assert panel.locator(".mg-differs").count() == 8
    assert focused(page).endswith("residual_0")


def test_prompts_are_sorted_by_keyboard_and_opened(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "prompts", "lang=en")
    heading = panel.get_by_role("columnheader", name="学习", exact=True)
    heading.get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    panel.get_by_role("button", name="Open the prompt 猫 喜欢", exact=True).click()
    wait_for_chips(page, ["猫", "喜欢"])


def test_the_tree_of_continuations_by_keyboard_alone(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "sampling", "lang=en&sampling=sample~1~0~1~0")
    items = panel.get_by_role("treeitem")
    items.first.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    assert focused(page).endswith("(学习 喜欢 学习 喜欢)")
    for width in reversed(WIDTHS):
        page.set_viewport_size({"width": width, "height": 900})
        check_bars_of_the_tree(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert items.count() == 5
    panel.locator(".mg-area").nth(2).click()
    assert focused(page).endswith("(学习 喜欢 学习)")


def check_bars_of_the_tree(page: Any) -> None:
    """They have one scale. Only a layout says how long they are; the deepest has least room."""
    drawn = page.evaluate(
        """() => [...document.querySelectorAll("#mg-panel-sampling .mg-node-bar")]
          .filter((bar) => bar.checkVisibility())
          .map((bar) => ({
            level: Number(bar.parentElement.getAttribute("aria-level")),
            share: Number(getComputedStyle(bar).getPropertyValue("--share")),
            width: bar.getBoundingClientRect().width,
            room: bar.getBoundingClientRect().left
              - bar.previousElementSibling.getBoundingClientRect().right,
          }))"""
    )
    long = [bar for bar in drawn if bar["width"] > 4]
    assert {bar["level"] for bar in long} >= {1, 2}
    scales = [bar["width"] / bar["share"] for bar in long]
    assert max(scales) == pytest.approx(min(scales), rel=0.05)
    assert all(bar["room"] >= 0 for bar in drawn)
    assert overflow(page, "sampling") == []


def test_the_slider_counts_what_a_word_costs(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "cost", "lang=en")
    sums = panel.locator("tfoot td")
    sums.first.wait_for()
    assert sums.all_inner_texts() == ["456", "228"]
    panel.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("document.querySelector('#mg-panel-cost tfoot td').innerText === '220'")


def test_a_lesson_is_begun_answered_and_finished(open_page: OpenPage) -> None:
    page, _ = open_panel(open_page, "lessons", "lang=en&tokens=4-1")
    page.get_by_role("button", name="Start: Why positions").click()
    wait_for_chips(page, ["我", "我"])
    strip = page.locator(".mg-lesson:not(.mg-tour)")
    for _ in range(3):
        strip.get_by_role("button", name="Next").click()
    strip.get_by_role("textbox").fill("0.5")
    page.keyboard.press("Enter")
    strip.locator('[data-grade="right"]').wait_for()
    strip.get_by_role("button", name="Finish").click()
    wait_for_chips(page, ["猫", "喜欢"])
    assert not strip.is_visible()


def test_the_worksheet_is_printed_alone(page: Any) -> None:
    page.locator('[data-stage="logits"] .mg-map-heading-text').click()
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="打印答案页").click()
    page.wait_for_function("window.printed")
    sheet = page.locator(".mg-sheet")
    assert not sheet.is_visible()  # on the screen
    page.emulate_media(media="print")
    sheet.wait_for()
    assert not page.locator(".mg-chips").is_visible()
    assert not page.get_by_role("tablist").first.is_visible()
    assert sheet.locator(".mg-sheet-stage").count() == 19
    assert "0.4835" in sheet.inner_text()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert sheet.count() == 0
    page.emulate_media(media="screen")
    assert page.locator(".mg-chips").is_visible()


def test_a_file_is_downloaded(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "runtimes")
    name = "mini_gpt_teaching.onnx"
    with page.expect_download() as download:
        panel.get_by_role("button", name=name, exact=True).click()
    assert download.value.suggested_filename == name
    assert Path(download.value.path()).read_bytes() == (FILES / name).read_bytes()
