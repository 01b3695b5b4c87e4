"""Every prompt and the graph of argmax, in the browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import WIDTHS, open_panel, overflow
from tests.ui.reading import wait_for_chips

TEXTS = {
    "zh": {
        "table": "每个句子之后，各个词的概率",
        "open": "打开句子：猫 喜欢",
        "cycle": "喜欢 学习 → 学习 喜欢 → 喜欢 学习",
        "node": "猫 喜欢，最可能接 学习，变成 喜欢 学习",
    },
    "en": {
        "table": "Probability of each word after each prompt",
        "open": "Open the prompt 猫 喜欢",
        "cycle": "喜欢 学习 → 学习 喜欢 → 喜欢 学习",
        "node": "猫 喜欢, most probably followed by 学习, becomes 喜欢 学习",
    },
}


def rows(panel: Any) -> list[list[str]]:
    """Prompt and the five probabilities of every row, as shown."""
    read: list[list[str]] = panel.locator(".mg-prompts tbody tr").evaluate_all(
        """rows => rows.map((row) => [
            [...row.querySelectorAll("th .mg-mini-chip")].map((chip) => chip.textContent).join(" "),
            ...[...row.querySelectorAll(".mg-number")].map((cell) => cell.textContent),
        ])"""
    )
    return read


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_30_prompts_a_click_opens_one(open_page: OpenPage, width: int, language: str) -> None:
    texts = TEXTS[language]
    page, panel = open_panel(open_page, "prompts", f"lang={language}", width=width)
    panel.get_by_role("table", name=texts["table"]).wait_for()
    read = {prompt: numbers for prompt, *numbers in rows(panel)}
    assert len(read) == 30
    assert read["我 喜欢"] == ["0.1742", "0.0037", "0.0124", "0.4835", "0.3261"]
    assert overflow(page, "prompts") == []
    panel.get_by_role("button", name=texts["open"], exact=True).click()
    wait_for_chips(page, ["猫", "喜欢"])
    page.wait_for_function(
        "document.querySelector('.mg-prompts .mg-present').textContent.includes('猫')"
    )


def test_a_heading_sorts_and_sorts_back(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "prompts", "lang=en")
    table = panel.get_by_role("table", name=TEXTS["en"]["table"])
    heading = table.get_by_role("columnheader", name="学习", exact=True)
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    column = [float(numbers[3]) for _, *numbers in rows(panel)]
    assert column == sorted(column, reverse=True)
    assert page.evaluate("document.activeElement.dataset.by") == "3"
    heading.get_by_role("button").press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    column = [float(numbers[3]) for _, *numbers in rows(panel)]
    assert column == sorted(column)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_graph_marks_the_cycle_and_opens_windows(
    open_page: OpenPage, width: int, language: str
) -> None:
    page, panel = open_panel(open_page, "prompts", f"lang={language}", width=width)
    nodes = panel.locator(".mg-window")
    nodes.first.wait_for()
    assert nodes.count() == 30
    assert panel.locator(".mg-window.mg-in-cycle").count() == 2
    assert panel.locator(".mg-cycles").get_by_text(TEXTS[language]["cycle"]).is_visible()
    panel.get_by_role("button", name=TEXTS[language]["node"], exact=True).click()
    wait_for_chips(page, ["猫", "喜欢"])


def test_the_behaviour_follows_a_change(open_page: OpenPage) -> None:
    _, panel = open_panel(open_page, "prompts", "lang=en&edits=lm_head.bias~2~100")
    panel.locator(".mg-cycles").get_by_text("AI AI → AI AI").wait_for()
    assert {numbers[2] for _, *numbers in rows(panel)} == {"1.0000"}


def test_a_longer_context_says_how_far_it_is_listed(open_page: OpenPage) -> None:
    _, panel = open_panel(open_page, "prompts", "lang=en&model=trained")
    panel.get_by_text("here are all 780 of 1 to 4 words").wait_for()
    assert len(rows(panel)) == 780
    assert panel.get_by_text(
        "From every prompt of 1 to 2 words until a cycle is reached"
    ).is_visible()
