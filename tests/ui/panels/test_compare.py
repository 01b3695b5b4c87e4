"""Two runs beside each other, in the browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import WIDTHS, open_panel, overflow
from tests.ui.reading import chips, press, wait_for_chips

TEXTS = {
    "zh": {
        "lesson": "课程里的 A 和 B",
        "values": "每个量的最大差 max |Δ|",
        "first": "最先不同",
        "same": "相同",
        "finding": "最先不同的是 blocks.0.scores",
        "add": "给 B 加 AI",
        "unchanged": "同一句，未改动的网络",
    },
    "en": {
        "lesson": "The lesson's A and B",
        "values": "Largest difference of each value, max |Δ|",
        "first": "first to differ",
        "same": "same",
        "finding": "the first to differ is blocks.0.scores",
        "add": "Add AI to B",
        "unchanged": "Same sentence, unchanged network",
    },
}


def row(panel: Any, name: str) -> list[str]:
    """The cells of a value: at the last position, at all of them."""
    cells = panel.locator(f"tr[data-value='{name}'] td")
    cells.first.wait_for()
    read: list[str] = cells.all_inner_texts()
    return read


def last_row(table: Any) -> list[str]:
    """The figures of the last position, without what only a screen reader says."""
    read: list[str] = table.locator("tbody tr:last-child td").evaluate_all(
        "cells => cells.map((cell) => cell.firstChild.textContent)"
    )
    return read


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_lessons_a_and_b_are_one_click_away(
    open_page: OpenPage, width: int, language: str
) -> None:
    texts = TEXTS[language]
    page, panel = open_panel(open_page, "compare", f"tokens=2-3&lang={language}", width=width)
    press(page, texts["lesson"])
    wait_for_chips(page, ["我", "喜欢"])
    panel.get_by_text(texts["finding"]).wait_for()
    assert panel.get_by_role("table", name=texts["values"]).is_visible()
    assert row(panel, "residual_0")[0] == texts["same"]
    assert row(panel, "blocks.0.attention_update")[0] == "0.2857"
    assert texts["first"] in row(panel, "blocks.0.scores")[0]
    assert texts["first"] in row(panel, "token_embeddings")[1]
    assert panel.locator(".mg-first-mark").count() == 2
    assert overflow(page, "compare") == []


def test_a_value_is_shown_for_both_sides_with_its_differing_cells(open_page: OpenPage) -> None:
    _, panel = open_panel(open_page, "compare", "lang=en")
    button = panel.get_by_role("button", name="blocks.0.attention_update")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    tensors = panel.locator(".mg-tensor")
    assert tensors.count() == 2
    read = [last_row(table) for table in tensors.all()]
    assert read[0] == ["0.9944", "0.1092", "−1.4326", "−0.0512"]
    assert read[1] == ["0.9847", "0.3949", "−1.3141", "0.0686"]
    assert panel.locator(".mg-differs").count() == 16
    panel.get_by_role("button", name="residual_0", exact=False).click()
    assert panel.locator(".mg-differs").count() == 8  # of position 0 alone


def test_the_next_words_of_both_and_their_difference(open_page: OpenPage) -> None:
    _, panel = open_panel(open_page, "compare", "lang=en")
    table = panel.get_by_role("table", name="Probability of the next word")
    table.get_by_role("row").nth(5).wait_for()
    rows = [text.split() for text in table.get_by_role("row").all_inner_texts()[1:]]
    assert rows[3] == ["学习", "0.4835", "0.5897", "+0.1062"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_b_is_written_in_the_panel_and_a_stays(open_page: OpenPage, language: str) -> None:
    page, panel = open_panel(open_page, "compare", f"lang={language}")
    press(page, TEXTS[language]["add"])
    panel.locator("tr[data-value='vocabulary_probs']").wait_for()
    side = panel.locator(".mg-side").nth(1).locator(".mg-mini-chip")
    assert side.all_inner_texts() == ["猫", "喜欢", "AI"]
    assert chips(page)[:2] == ["我", "喜欢"]
    assert "compare=sentence~4-1-2~" in page.url
    page.reload()
    panel.locator("tr[data-value='vocabulary_probs']").wait_for()
    assert side.all_inner_texts() == ["猫", "喜欢", "AI"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_changed_network_beside_the_unchanged_one(open_page: OpenPage, language: str) -> None:
    query = f"lang={language}&edits=blocks.0.ffn.contract.bias~2~1"
    _, panel = open_panel(open_page, "compare", query)
    panel.get_by_text(TEXTS[language]["unchanged"], exact=True).click()
    panel.get_by_text("blocks.0.ffn_update", exact=False).first.wait_for()
    panel.locator("tr[data-value='blocks.0.ffn_update'] .mg-first-mark").first.wait_for()
    assert row(panel, "blocks.0.ln2")[0] == TEXTS[language]["same"]
    assert TEXTS[language]["first"] in row(panel, "blocks.0.ffn_update")[0]


def test_hand_set_and_learned_weights_beside_each_other(open_page: OpenPage) -> None:
    _, panel = open_panel(open_page, "compare", "lang=en")
    panel.get_by_text("Same sentence, other weights").click()
    panel.locator("tr[data-value='blocks.1.ln1']").wait_for()
    assert row(panel, "blocks.1.ln1")[0] == "one side only"


def test_nothing_is_compared_without_words(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "compare", "lang=en")
    panel.locator(".mg-values").wait_for()
    press(page, "Clear")
    panel.locator(".mg-values").wait_for(state="hidden")
