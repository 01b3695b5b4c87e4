"""Chinese first whatever the browser prefers; English by a switch or the address."""

from __future__ import annotations

import re
from typing import Any

from tests.ui.conftest import OpenPage
from tests.ui.reading import chips, press, wait_for_alert

HAN = re.compile(r"[\u4e00-\u9fff]")
WORDS = re.compile("我|喜欢|学习|猫|中文")


def shell_text(page: Any) -> str:
    """All that the header, the sentence bar and the footer say, also to screen readers."""
    text: str = page.locator(".mg-header, .mg-sentence, .mg-footer").evaluate_all(
        """parts => parts.flatMap((part) => [part, ...part.querySelectorAll("*")])
            .flatMap((element) => [
                ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
                    .map((node) => node.textContent),
                ...["aria-label", "title", "placeholder"]
                    .map((name) => element.getAttribute(name) ?? ""),
            ]).join(" ")"""
    )
    return text


def test_the_page_is_chinese_first(page: Any) -> None:
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    assert page.get_by_role("button", name="让模型接一个词").is_visible()
    assert page.title() == "MiniGPT：一个能用铅笔验算的 GPT"


def test_english_by_the_switch_is_complete_and_keeps_the_sentence(page: Any) -> None:
    press(page, "让模型接一个词")
    page.get_by_text("抽样 sampling", exact=True).click()
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="Append one").wait_for()
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.title() == "MiniGPT: a GPT you can check with a pencil"
    left = HAN.findall(WORDS.sub("", shell_text(page)))
    assert left == []
    assert chips(page)[:2] == ["我", "喜欢"]
    page.get_by_role("button", name="中文").click()
    page.get_by_role("button", name="让模型接一个词").wait_for()


def test_english_by_the_address_and_its_errors_too(open_page: OpenPage) -> None:
    page = open_page("?lang=en")
    field = page.get_by_role("textbox", name="Type words to add to the sentence")
    field.fill("我 dog")
    field.press("Enter")
    wait_for_alert(page, "“dog” at character 3 is not a word of this model.")
    assert HAN.findall(WORDS.sub("", shell_text(page))) == []


def test_the_theme_can_be_switched(page: Any) -> None:
    background = "getComputedStyle(document.querySelector('.mg-sentence')).backgroundColor"
    light = page.evaluate(background)
    press(page, "深色")
    assert page.evaluate(background) != light
    press(page, "浅色")
    assert page.evaluate(background) == light
