"""The address carries the state; a broken one is explained and ignored."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.reading import (
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
    wait_for_count,
)


def reload(page: Any) -> None:
    page.reload()
    page.locator(".mg-bars tbody tr").first.wait_for()


def test_a_reload_keeps_the_sentence_at_once(page: Any) -> None:
    for word in ("学习", "猫", "AI"):
        click_word(page, word)
    reload(page)
    wait_for_chips(page, ["我", "喜欢", "学习", "猫", "AI"])


def test_a_reload_during_generation_keeps_what_came(page: Any) -> None:
    page.get_by_label("生成多少个词").fill("64")
    press(page, "连续生成")
    page.wait_for_function('document.querySelectorAll(".mg-chip").length >= 5')
    reload(page)
    kept = chips(page)
    assert kept[:4] == ["我", "喜欢", "学习", "喜欢"]
    page.wait_for_timeout(400)
    assert chips(page) == kept


def test_a_reload_keeps_the_settings_and_the_next_draw(page: Any) -> None:
    page.get_by_text("抽样 sampling", exact=True).click()
    page.get_by_label("温度", exact=True).fill("1.5")
    page.get_by_label("种子", exact=True).fill("7")
    for _ in range(2):
        press(page, "让模型接一个词")
    wait_for_count(page, 4)
    reload(page)
    assert page.get_by_role("radio", name="抽样 sampling").is_checked()
    assert page.get_by_label("温度", exact=True).input_value() == "1.5"
    assert "第 3 抽" in page.locator(".mg-draw-note").inner_text()


def test_an_address_opens_the_same_page_elsewhere(open_page: OpenPage) -> None:
    page = open_page()
    press(page, "清空")
    click_word(page, "猫")
    page.get_by_role("button", name="English").click()
    page.wait_for_function('location.search === "?v=1&tokens=4&lang=en"')
    other = open_page("?" + urlsplit(page.url).query)
    wait_for_chips(other, ["猫"])
    wait_for_bars(other, bars(page))
    assert other.get_by_role("button", name="Append one").is_visible()


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("?tokens=0-9", "tokens"),
        ("?tokens=%3Cimg%20src=x%20onerror=alert(1)%3E", "tokens"),
        ("?engine=tensorflow&lang=fr", "engine, lang"),
        ("?v=99&tokens=4", "v"),
        ("?edits=${alert(1)}&stage={{x}}", "stage, edits"),
    ],
)
def test_a_broken_address_is_explained_and_ignored(
    open_page: OpenPage, query: str, named: str
) -> None:
    page = open_page(query)
    wait_for_alert(page, f"地址里的这些部分读不懂，已忽略：{named}。")
    assert chips(page) == ["我", "喜欢"]
    assert bars(page) == PROMPT_A


def test_a_model_that_is_not_there_is_explained_and_the_lessons_taken(
    open_page: OpenPage,
) -> None:
    page = open_page("?model=nobody&tokens=4-1")
    wait_for_alert(page, "model 只能是")
    wait_for_chips(page, ["猫", "喜欢"])
    bar_row(page, "学习 0.5897 2.6821").wait_for()


def test_keys_of_others_stay_in_the_address(open_page: OpenPage) -> None:
    page = open_page("?__theme=dark")
    click_word(page, "猫")
    page.wait_for_function('location.search === "?v=1&tokens=0-1-4&__theme=dark"')
    assert page.evaluate('document.body.classList.contains("dark")')
    assert alert(page) == ""
