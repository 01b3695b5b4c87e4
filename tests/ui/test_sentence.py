"""Writing a sentence: words, free text, what the model sees, undo and clear."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lesson import LESSON
from tests.slow_line import slow
from tests.ui.conftest import OpenPage
from tests.ui.reading import (
    NO_NUMBERS,
    PROMPT_A,
    alert,
    bar_row,
    bars,
    chips,
    click_word,
    press,
    wait_for_alert,
    wait_for_bars,
    wait_for_chips,
)

PROMPT_B = LESSON["prompts"]["B"]


def type_text(page: Any, text: str) -> None:
    field = page.get_by_role("textbox", name="输入文字，接到句子后面")
    field.fill(text)
    field.press("Enter")


def test_clicked_words_give_the_lessons_numbers(open_page: OpenPage) -> None:
    page = open_page("?tokens=")
    for word in PROMPT_B["tokens"]:
        click_word(page, word)
    wait_for_chips(page, PROMPT_B["tokens"])
    bar_row(page, "学习 0.5897 2.6821").wait_for()
    shown = [float(probability) for probability, _ in bars(page).values()]
    assert shown == [round(value, 4) for value in PROMPT_B["vocabulary_probs_derived"]]


def test_words_outside_the_window_are_faded_and_said_to_be(page: Any) -> None:
    click_word(page, "学习")
    wait_for_chips(page, ["我", "喜欢", "学习"])
    outside = page.locator(".mg-chip.mg-outside")
    assert outside.all_text_contents() == ["我（窗口之外）"]
    inside = page.locator(".mg-chip.mg-inside")
    assert inside.all_inner_texts() == ["喜欢", "学习"]
    style = "chip => getComputedStyle(chip).color"
    assert outside.first.evaluate(style) != inside.first.evaluate(style)
    bracket = "chip => getComputedStyle(chip, '::before').borderLeftWidth"
    assert inside.first.evaluate(bracket) == "2px"
    assert "最后 2 个词" in page.locator(".mg-window-note").inner_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我喜欢AI", ["我", "喜欢", "AI"]),
        ("　我 喜欢　ａｉ", ["我", "喜欢", "AI"]),
        ("学习猫 Ai", ["学习", "猫", "AI"]),
    ],
)
def test_free_text_is_read_as_people_type_it(
    open_page: OpenPage, text: str, words: list[str]
) -> None:
    page = open_page("?tokens=")
    type_text(page, text)
    wait_for_chips(page, words)
    assert page.get_by_role("textbox", name="输入文字").input_value() == ""


def test_an_unknown_word_is_explained_and_everything_stays(page: Any) -> None:
    type_text(page, "我 <b>狗</b>${1}")
    wait_for_alert(
        page, "第 3 个字符处的“<b>狗</b>${1}”不在词表里。请只用这些词：我 喜欢 AI 学习 猫。"
    )
    field = page.get_by_role("textbox", name="输入文字")
    assert field.input_value() == "我 <b>狗</b>${1}"
    assert field.get_attribute("aria-invalid") == "true"
    assert field.evaluate("field => document.activeElement === field")
    assert chips(page) == ["我", "喜欢"]
    assert bars(page) == PROMPT_A
    type_text(page, "猫")
    wait_for_chips(page, ["我", "喜欢", "猫"])
    assert alert(page) == ""


def test_text_that_is_too_long_is_explained(page: Any) -> None:
    type_text(page, "我" * 2001)
    wait_for_alert(page, "文字有 2001 个字符，最多读 2000 个。")
    assert chips(page) == ["我", "喜欢"]


def test_a_sentence_has_at_most_256_words(open_page: OpenPage) -> None:
    page = open_page(f"?tokens={'-'.join(['4'] * 256)}")
    click_word(page, "我")
    wait_for_alert(page, "句子会有 257 个词，最多保留 256 个。")
    assert len(chips(page)) == 256


def test_the_end_of_a_long_sentence_is_in_view(open_page: OpenPage) -> None:
    page = open_page(f"?tokens={'-'.join(['1'] * 60)}", width=390)
    box = page.locator(".mg-chip.mg-last").bounding_box()
    assert 0 < box["x"] < 390


def test_an_empty_sentence_invites_and_shows_no_number(page: Any) -> None:
    press(page, "清空")
    wait_for_bars(page, NO_NUMBERS)
    assert chips(page) == []
    assert page.get_by_text("点一个词，开始一句话").is_visible()
    assert alert(page) == ""
    click_word(page, "我")
    bar_row(page, "我").filter(has_not_text="—").wait_for()


def test_undo_takes_back_words_and_a_clearing(page: Any) -> None:
    click_word(page, "猫")
    press(page, "清空")
    press(page, "撤销")
    assert chips(page) == ["我", "喜欢", "猫"]
    press(page, "撤销")
    wait_for_bars(page, PROMPT_A)
    assert chips(page) == ["我", "喜欢"]


def test_undo_after_a_reload_takes_the_last_word_until_none_is_left(page: Any) -> None:
    page.reload()
    page.locator(".mg-bars tbody tr").first.wait_for()
    press(page, "撤销")
    press(page, "撤销")
    assert chips(page) == []
    assert page.get_by_role("button", name="撤销").is_disabled()
    assert page.get_by_role("button", name="清空").is_disabled()


def test_the_keyboard_alone_writes_a_sentence(page: Any) -> None:
    page.locator(".mg-palette").get_by_role("button", name="学习").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    wait_for_chips(page, ["我", "喜欢", "学习", "猫"])


def test_eight_quick_clicks_on_a_slow_line_give_eight_words(open_page: OpenPage) -> None:
    page = open_page("?tokens=")
    calls: list[str] = []
    page.on("request", lambda request: calls.append(str(request.post_data)))
    slow(page, 150)
    words = ["我", "喜欢", "AI", "学习", "猫", "我", "喜欢", "猫"]
    for word in words:
        click_word(page, word)
    assert chips(page) == words, "the words are there before any answer"
    bar_row(page, "喜欢 0.6845 2.8750").wait_for()  # the numbers of 喜欢 猫
    views = [call for call in calls if '"fn_name":"view"' in call]
    assert 1 <= len(views) <= 8


def test_a_double_click_on_a_word_gives_it_twice(page: Any) -> None:
    page.locator(".mg-palette").get_by_role("button", name="猫").dblclick()
    wait_for_chips(page, ["我", "喜欢", "猫", "猫"])


def test_two_tabs_do_not_mix(open_page: OpenPage) -> None:
    one, two = open_page(), open_page("?tokens=4-1")
    click_word(one, "AI")
    click_word(two, "我")
    press(one, "让模型接一个词")
    wait_for_chips(two, ["猫", "喜欢", "我"])
    one.wait_for_function('document.querySelectorAll(".mg-chip").length === 4')
    assert chips(one)[:3] == ["我", "喜欢", "AI"]
