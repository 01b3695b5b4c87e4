"""Weights and switches in the browser: every number follows, and nothing wrong is taken."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import WIDTHS, open_panel, overflow
from tests.ui.reading import PROMPT_A, bars, press, wait_for_alert, wait_for_bars

WITHOUT_HEAD_2 = {
    "我": "0.4594",
    "喜欢": "0.0051",
    "AI": "0.0245",
    "学习": "0.1443",
    "猫": "0.3666",
}
"""我 喜欢 with head 2 switched off; `tests/ui/panels/test_calls.py` checks such numbers."""

TOKEN_TABLE = {"zh": "词表 token table", "en": "Token table"}
CELL = {"zh": "我 · 通道 0", "en": "我 · channel 0"}


def wait_for_probabilities(page: Any, expected: dict[str, str]) -> None:
    """Return when the next-word bars show these probabilities."""
    page.wait_for_function(
        """expected => [...document.querySelectorAll(".mg-bars tbody tr")].every((row) => {
            const word = row.querySelector("th").textContent;
            return row.querySelector(".mg-number").textContent === expected[word];
        })""",
        arg=expected,
    )


def cell(page: Any, language: str) -> Any:
    """The first weight of 我, changed or not."""
    return page.get_by_role("textbox", name=CELL[language])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("language", "head", "all_on"),
    [("zh", "头 2 head 2", "全部打开"), ("en", "Head 2", "Everything on")],
)
def test_a_switch_changes_the_page_and_back(
    open_page: OpenPage, width: int, language: str, head: str, all_on: str
) -> None:
    page, panel = open_panel(open_page, "weights", f"lang={language}", width=width)
    switch = panel.get_by_role("switch", name=head)
    switch.wait_for()
    assert switch.get_attribute("aria-checked") == "true"
    switch.click()
    wait_for_probabilities(page, WITHOUT_HEAD_2)
    assert switch.get_attribute("aria-checked") == "false"
    assert "switches=blocks.0.head.1~false" in wait_for_address(page, "switches=")
    press(page, all_on)
    wait_for_bars(page, PROMPT_A)
    assert overflow(page, "weights") == []


def wait_for_address(page: Any, part: str) -> str:
    page.wait_for_function("part => decodeURIComponent(location.search).includes(part)", arg=part)
    return str(page.evaluate("decodeURIComponent(location.search)"))


def test_the_exact_numbers_of_a_switch(open_page: OpenPage) -> None:
    _, panel = open_panel(open_page, "weights", "lang=en")
    more = panel.get_by_role("button", name="Exact numbers: Head 2")
    more.click()
    assert more.get_attribute("aria-expanded") == "true"
    rows = panel.get_by_role("table", name="Exact numbers").get_by_role("row").all_inner_texts()
    read = [row.split() for row in rows]
    assert read[0] == ["Word", "on", "off", "Δ"]
    assert read[1] == ["我", "0.1742", "0.4594", "+0.2852"]
    assert [row[2] for row in read[1:]] == list(WITHOUT_HEAD_2.values())


def test_both_engines_follow_a_switch(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "weights")
    panel.get_by_role("switch", name="头 2 head 2").click()
    wait_for_probabilities(page, WITHOUT_HEAD_2)
    page.get_by_text("PyTorch", exact=True).click()
    page.wait_for_function("document.querySelector('.mg-difference').textContent.includes('×')")
    wait_for_probabilities(page, WITHOUT_HEAD_2)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_edited_weight_changes_the_page_and_is_marked(
    open_page: OpenPage, width: int, language: str
) -> None:
    page, panel = open_panel(open_page, "weights", f"lang={language}", width=width)
    first = cell(page, language)
    assert first.input_value() == "0.2"
    first.fill("0.9")
    first.press("Enter")
    page.wait_for_function("document.querySelectorAll('.mg-cell-changed').length === 1")
    assert bars(page) != PROMPT_A
    assert "edits=token_embedding.weight~0.0~0.9" in wait_for_address(page, "edits=")
    marked = panel.locator(".mg-cell-changed")
    assert ("原 0.2" if language == "zh" else "was 0.2") in marked.inner_text()
    changed = first.get_attribute("aria-label")
    assert ("已改，原来是 0.2" if language == "zh" else "changed, was 0.2") in changed
    reset = {"zh": "恢复这张表：词表 token table", "en": "Reset this table: Token table"}
    press(page, reset[language])
    wait_for_bars(page, PROMPT_A)
    assert panel.locator(".mg-cell-changed").count() == 0
    assert overflow(page, "weights") == []


@pytest.mark.parametrize("typed", ["abc", "1e9", "NaN", "", "0,5", "<b>1</b>"])
def test_a_wrong_weight_is_refused_and_the_old_value_stays(open_page: OpenPage, typed: str) -> None:
    page, panel = open_panel(open_page, "weights", "lang=en")
    first = cell(page, "en")
    first.fill(typed)
    first.press("Enter")
    wait_for_alert(page, "The old value stays.")
    page.wait_for_function("cell => cell.value === '0.2'", arg=first.element_handle())
    assert bars(page) == PROMPT_A
    assert panel.locator(".mg-cell-changed").count() == 0


def test_escape_restores_and_arrows_change_rows(open_page: OpenPage) -> None:
    page, _ = open_panel(open_page, "weights", "lang=en")
    first = cell(page, "en")
    first.fill("7")
    first.press("Escape")
    assert first.input_value() == "0.2"
    first.press("ArrowDown")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "喜欢 · channel 0"
    assert bars(page) == PROMPT_A


def test_a_pasted_block_fills_the_cells_to_the_right_and_below(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "weights", "lang=en")
    cell(page, "en").evaluate(
        """cell => {
            cell.focus();
            const data = new DataTransfer();
            data.setData("text/plain", "1\\t2\\n3\\t4\\n");
            const how = { clipboardData: data, cancelable: true };
            cell.dispatchEvent(new ClipboardEvent("paste", how));
        }"""
    )
    page.wait_for_function("document.querySelectorAll('.mg-cell-changed').length === 4")
    assert [box.input_value() for box in panel.locator(".mg-cell-changed input").all()] == [
        "1",
        "2",
        "3",
        "4",
    ]


def test_two_quick_edits_are_both_kept(open_page: OpenPage) -> None:
    page, _ = open_panel(open_page, "weights", "lang=en")
    first = cell(page, "en")
    first.fill("1")
    first.press("ArrowDown")  # leaving the cell commits it
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('.mg-cell-changed').length === 2")


def test_every_table_opens_under_its_lesson_name(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "weights", "lang=en")
    summaries = panel.locator("summary")
    summaries.first.wait_for()
    assert summaries.count() == 18
    for summary in summaries.all()[1:]:
        summary.click()
    page.wait_for_function("document.querySelectorAll('.mg-weight table').length === 18")
    inputs = panel.locator(".mg-weight-input")
    assert inputs.count() == 289
    names = inputs.evaluate_all("cells => cells.map((cell) => cell.getAttribute('aria-label'))")
    assert "head 2 · out 2 · in 3" in names
    assert "学习 · in 1" in names
    assert "unit 15 · in 0" in names


def test_dropout_has_a_rate_and_a_seed_and_refuses_nonsense(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "weights", "lang=en")
    panel.get_by_role("switch", name="Dropout").click()
    page.wait_for_function("document.querySelector('.mg-changed:not([hidden])')")
    first = bars(page)
    panel.get_by_role("textbox", name="seed").fill("5")
    panel.get_by_role("textbox", name="seed").press("Enter")
    assert "dropout_seed~5" in wait_for_address(page, "dropout_seed~5")
    page.wait_for_function(
        "before => document.querySelector('.mg-bars tbody .mg-number').textContent !== before",
        arg=first["我"][0],
    )
    rate = panel.get_by_role("textbox", name="rate")
    rate.fill("2")
    rate.press("Enter")
    wait_for_alert(page, "dropout must be at least 0 and below 1")
    assert rate.input_value() == "0.1"


def test_a_changed_network_survives_a_reload_and_is_put_back_by_one_button(
    open_page: OpenPage,
) -> None:
    query = "switches=causal_mask~false*blocks.0.ln1~false&edits=lm_head.bias~4~2.5&lang=en"
    page, panel = open_panel(open_page, "weights", query)
    status = page.get_by_role("status").filter(has_text="The network is changed")
    assert "weights: 1" in status.inner_text()
    assert "switches: 2" in status.inner_text()
    changed = bars(page)
    assert changed != PROMPT_A
    page.reload()
    page.locator(".mg-changed").wait_for()
    assert bars(page) == changed
    switch = panel.get_by_role("switch", name="LayerNorm 1")
    switch.wait_for()
    assert switch.get_attribute("aria-checked") == "false"
    press(page, "Put everything back")
    wait_for_bars(page, PROMPT_A)
    assert page.locator(".mg-changed").is_hidden()


def test_an_address_with_impossible_changes_is_explained_and_ignored(open_page: OpenPage) -> None:
    page, _ = open_panel(open_page, "weights", "lang=en&edits=lm_head.bias~7~1")
    wait_for_alert(page, "lm_head.bias has no cell [7]")
    wait_for_bars(page, PROMPT_A)


def test_other_weights_begin_unchanged(open_page: OpenPage) -> None:
    page, panel = open_panel(open_page, "weights", "lang=en&edits=lm_head.bias~4~2.5")
    page.get_by_role("combobox", name="Weights").select_option("trained")
    page.locator(".mg-changed").wait_for(state="hidden")
    panel.get_by_role("switch", name="Block 2 · FFN", exact=True).wait_for()
    assert panel.get_by_role("heading", name="Block 2").is_visible()
