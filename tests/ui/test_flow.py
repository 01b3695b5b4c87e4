"""The page and its server together, as a person uses them, from the first word to a reload."""

from __future__ import annotations

import re
from typing import Any

from tests.slow_line import slow
from tests.ui.conftest import OpenPage
from tests.ui.reading import (
    PROMPT_A,
    bars,
    chips,
    click_word,
    open_more,
    press,
    wait_for_alert,
    wait_for_bar,
    wait_for_bars,
    wait_for_chips,
    wait_for_count,
)

APPEND, GENERATE, STOP, UNDO = "让模型接一个词", "连续生成", "停止", "撤销"


def test_a_sentence_is_written_generated_and_found_again(page: Any) -> None:
    _the_keyboard_alone_writes(page)
    _free_text_is_read_or_explained(page)
    press(page, "清空")
    click_word(page, "猫")
    click_word(page, "喜欢")
    wait_for_bar(page, "学习", "0.5897", "2.6821")
    page.get_by_role("button", name=APPEND).dblclick()
    wait_for_chips(page, ["猫", "喜欢", "学习", "喜欢"])
    open_more(page).get_by_label("生成多少个词").fill("64")
    press(page, GENERATE)
    page.wait_for_function('document.querySelectorAll(".mg-chip").length >= 7')
    press(page, STOP)
    stopped_at = chips(page)
    page.wait_for_timeout(400)
    assert chips(page) == stopped_at
    page.reload()
    page.locator(".mg-bars tbody tr").first.wait_for()
    assert chips(page) == stopped_at


def _the_keyboard_alone_writes(page: Any) -> None:
    page.locator(".mg-palette").get_by_role("button", name="学习").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    wait_for_chips(page, ["我", "喜欢", "学习", "猫"])
    press(page, UNDO)
    press(page, UNDO)
    wait_for_bars(page, PROMPT_A)


def _free_text_is_read_or_explained(page: Any) -> None:
    field = open_more(page).get_by_role("textbox", name="输入文字，接到句子后面")
    field.fill("我 <b>狗</b>${1}")
    field.press("Enter")
    wait_for_alert(page, "第 3 个字符处的“<b>狗</b>${1}”不在词表里。")
    assert field.evaluate("field => document.activeElement === field")
    field.fill("学习猫 Ai")
    field.press("Enter")
    wait_for_chips(page, ["我", "喜欢", "学习", "猫", "AI"])


def test_both_engines_answer_and_quick_clicks_lose_nothing(open_page: OpenPage) -> None:
    page = open_page("?tokens=")
    slow(page, 150)
    words = ["我", "喜欢", "AI", "学习", "猫", "我", "喜欢", "猫"]
    for word in words:
        click_word(page, word)
    assert chips(page) == words, "the words are there before any answer"
    wait_for_bar(page, "喜欢", "0.6845", "2.8750")  # the numbers of 喜欢 猫
    shown = bars(page)
    open_more(page).locator(".mg-engine").get_by_text("PyTorch", exact=True).click()
    page.wait_for_function('new URLSearchParams(location.search).get("engine") === "torch"')
    status = page.get_by_role("status").filter(has_text="两个引擎最大相差")
    status.filter(has_text="× 10").wait_for()
    assert re.fullmatch(r"两个引擎最大相差 \d\.\d × 10⁻[⁶⁷⁸]", status.inner_text())
    wait_for_bars(page, shown)


def test_two_tabs_do_not_mix(open_page: OpenPage) -> None:
    one, two = open_page(), open_page("?tokens=4-1")
    click_word(one, "AI")
    click_word(two, "我")
    press(one, APPEND)
    wait_for_chips(two, ["猫", "喜欢", "我"])
    wait_for_count(one, 4)
    assert chips(one)[:3] == ["我", "喜欢", "AI"]
