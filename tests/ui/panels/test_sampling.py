"""The draw step by step and the tree of continuations, in the browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import WIDTHS, open_panel, overflow
from tests.ui.reading import press, wait_for_chips

TEXTS = {
    "zh": {"cold": "温度 0.000001", "drawn": "抽中", "append": "接上“学习”", "tree": "后文的树"},
    "en": {
        "cold": "temperature 0.000001",
        "drawn": "drawn",
        "append": "Append 学习",
        "tree": "Tree of continuations",
    },
}


def steps(panel: Any, word: str) -> list[str]:
    """What the steps table says of a word."""
    read: list[str] = panel.locator(f".mg-steps tr[data-word='{word}'] td").all_inner_texts()
    return read


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_each_step_the_draw_and_the_word_it_gives(
    open_page: OpenPage, width: int, language: str
) -> None:
    query = f"lang={language}&sampling=sample~1~0~0.8~3"
    page, panel = open_panel(open_page, "sampling", query, width=width)
    panel.locator(".mg-needle").wait_for()
    learned = steps(panel, "学习")
    assert learned[:4] == ["2.1336", "0.0000", "0.4835", "0.4835"]
    assert learned[4:] == ["0.5972", "0.0000 – 0.5972", TEXTS[language]["drawn"]]
    assert "0.085649" in panel.locator("figcaption").inner_text()
    assert panel.locator(".mg-needle").inner_text() == "u = 0.0856"
    assert overflow(page, "sampling") == []
    press(page, TEXTS[language]["append"])
    wait_for_chips(page, ["我", "喜欢", "学习"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_temperature_of_a_millionth_is_no_trouble(open_page: OpenPage, language: str) -> None:
    page, panel = open_panel(open_page, "sampling", f"lang={language}")
    press(page, TEXTS[language]["cold"])
    panel.locator(".mg-needle").wait_for()
    assert steps(panel, "学习")[2:5] == ["1.0000"] * 3
    assert steps(panel, "猫")[2] == "0.0000"
    assert steps(panel, "猫")[1].endswith("× 10⁵")


def test_argmax_draws_nothing(open_page: OpenPage) -> None:
    _, panel = open_panel(open_page, "sampling", "lang=en")
    panel.get_by_text("no random number is needed").wait_for()
    assert panel.locator(".mg-needle").count() == 0
    assert panel.get_by_text("words further: 1; their probabilities").is_visible()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_tree_by_keyboard_alone(open_page: OpenPage, width: int, language: str) -> None:
    query = f"lang={language}&sampling=sample~1~0~1~0"
    page, panel = open_panel(open_page, "sampling", query, width=width)
    tree = panel.get_by_role("tree", name=TEXTS[language]["tree"])
    items = tree.get_by_role("treeitem")
    items.first.wait_for()
    assert "625" in panel.locator(".mg-finding").inner_text()
    assert "1.000000" in panel.locator(".mg-finding").inner_text()
    assert items.count() == 10  # five, and the five below the most probable
    items.first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.textContent").endswith("(学习 喜欢 学习 喜欢)")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert items.count() == 5


@pytest.mark.parametrize("width", WIDTHS)
def test_the_bars_of_the_tree_have_one_scale(open_page: OpenPage, width: int) -> None:
    """Only a layout says how long they are; the deepest line has the least room."""
    query = "lang=en&sampling=sample~1~0~1~0"
    page, panel = open_panel(open_page, "sampling", query, width=width)
    panel.get_by_role("treeitem").first.wait_for()
    panel.get_by_role("treeitem").first.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    bars = page.evaluate(
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
    long = [bar for bar in bars if bar["width"] > 4]
    assert {bar["level"] for bar in long} >= {1, 2}
    scales = [bar["width"] / bar["share"] for bar in long]
    assert max(scales) == pytest.approx(min(scales), rel=0.05)
    assert all(bar["room"] >= 0 for bar in bars)
    assert overflow(page, "sampling") == []


def test_an_area_of_the_picture_opens_the_tree_there(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "sampling", "lang=en&sampling=sample~1~0~1~0")
    panel.locator(".mg-area text").nth(2).wait_for()
    panel.locator(".mg-area").nth(2).click()
    assert page.evaluate("document.activeElement.textContent").endswith("(学习 喜欢 学习)")


def test_an_empty_sentence_has_no_draw(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "sampling", "lang=en&tokens=")
    assert panel.locator(".mg-steps").is_hidden()
    assert panel.get_by_role("tree").is_hidden()
    assert page.get_by_role("alert").inner_text() == ""
