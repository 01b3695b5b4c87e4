"""The bench in a real browser: read like a book, every cell's arithmetic one click away."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.model.working.shown_arithmetic import reads
from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import WIDTHS
from tests.ui.reading import click_word

STEP = {"zh": "第 {} / 19 步", "en": "Step {} / 19"}
PLACE = {
    "zh": "头 1，喜欢（位置 1），通道 0：0.9944",
    "en": "head 1, 喜欢 (position 1), channel 0: 0.9944",
}
LINE = "0.1575×(−0.2156) + 0.8425×1.2206 ≈ 0.9944"


def bench(page: Any) -> Any:
    return page.locator(".mg-bench")


def card(page: Any) -> Any:
    return page.locator(".mg-card").first


def stands_out(page: Any) -> bool:
    """Whether the page can be scrolled sideways."""
    wider: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
    return wider


def lines(page: Any) -> list[str]:
    """The lines of the working on show."""
    texts: list[str] = card(page).locator(".mg-line-text").all_inner_texts()
    return [re.sub(r"\s+", " ", text).strip() for text in texts]


def wait_for_line(page: Any, line: str) -> None:
    """Return when the working on show ends with `line`: it comes a moment after its step."""
    page.wait_for_function(
        """line => {
            const shown = document.querySelector(".mg-card")?.querySelectorAll(".mg-line-text");
            return shown?.[shown.length - 1]?.innerText.replace(/\\s+/g, " ").trim() === line;
        }""",
        arg=line,
    )


def wait_for_step(page: Any, number: int, language: str = "zh") -> None:
    text = STEP[language].format(number)
    page.locator(".mg-bench-step").filter(has_text=text).wait_for()


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_cell_shows_its_arithmetic(open_page: OpenPage, width: int, language: str) -> None:
    page = open_page(f"?v=1&lang={language}&stage=blocks.0.head_outputs", width=width)
    page.get_by_role("button", name=PLACE[language]).click()
    wait_for_line(page, LINE)
    assert lines(page) == [LINE]
    expression, result = re.split(" [=≈] ", lines(page)[0])
    assert reads(expression, result)
    assert "cell=0.1.0" in page.url
    assert not stands_out(page)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_whole_network_is_read_with_one_key(open_page: OpenPage, language: str) -> None:
    page = open_page(f"?v=1&lang={language}")
    wait_for_step(page, 1, language)
    titles = []
    for number in range(1, 20):
        wait_for_step(page, number, language)
        titles.append(bench(page).get_by_role("heading", level=2).inner_text())
        bench(page).locator("math").wait_for()
        page.keyboard.press("n")
    assert len(titles) == len({*titles, "GELU"}) == 19
    wait_for_step(page, 19, language)
    page.keyboard.press("p")
    wait_for_step(page, 18, language)
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 19, language)


@pytest.mark.parametrize("width", WIDTHS)
def test_buttons_and_contents_lead_through_it_too(open_page: OpenPage, width: int) -> None:
    page = open_page("?v=1&lang=en", width=width)
    bench(page).get_by_role("navigation").get_by_role("button", name="Next").click()
    wait_for_step(page, 2, "en")
    bench(page).get_by_role("button", name="Next: Q, K, V →").click()
    wait_for_step(page, 3, "en")
    page.get_by_role("combobox", name="All steps").select_option(label="18. Probabilities")
    wait_for_step(page, 18, "en")
    assert "stage=vocabulary_probs" in page.url
    assert not stands_out(page)


def test_operands_lead_to_where_they_came_from_and_back(open_page: OpenPage) -> None:
    page = open_page("?v=1&stage=blocks.0.head_outputs&cell=0.1.0")
    operand = card(page).get_by_role(
        "button", name="0.1575，来自注意力，头 1，喜欢（位置 1），看 我"
    )
    operand.click()
    wait_for_step(page, 6)
    cell = page.get_by_role("button", name="头 1，喜欢（位置 1），看 我（位置 0）：0.1575")
    page.wait_for_function("document.activeElement?.getAttribute('aria-current') === 'true'")
    assert cell.evaluate("cell => cell === document.activeElement")
    wait_for_line(page, "0.5910 ÷ 3.7526 ≈ 0.1575")
    card(page).get_by_role("button", name="回到刚才").click()
    wait_for_step(page, 7)
    wait_for_line(page, LINE)
    assert lines(page) == [LINE]


def test_a_weight_is_a_cell_too(open_page: OpenPage) -> None:
    page = open_page("?v=1&stage=logits&cell=1.3")
    card(page).get_by_role("button", name="3，来自W_out").click()
    card(page).get_by_text("这是一个权重").wait_for()
    assert "stage=lm_head.weight&cell=3.1" in page.url


def test_the_last_figure_is_explained_where_four_decimals_miss_it(open_page: OpenPage) -> None:
    page = open_page("?v=1&stage=logits&cell=1.3")
    card(page).get_by_text("会得到 2.1335，而不是 2.1336").wait_for()
    card(page).locator(".mg-line-last").filter(has_text="2.1336").wait_for()
    assert lines(page)[0].endswith("≈ 2.1336")


def test_the_working_follows_the_sentence(open_page: OpenPage) -> None:
    page = open_page("?v=1&stage=blocks.0.attention_probs&cell=0.1.0")
    card(page).locator(".mg-line-last").wait_for()
    before = lines(page)
    click_word(page, "猫")
    page.wait_for_function(
        "before => document.querySelector('.mg-line-last .mg-line-text').textContent !== before",
        arg=before[-1],
    )
    expression, result = re.split(" [=≈] ", lines(page)[-1])
    assert reads(expression, result)
    row = page.locator('[data-key="blocks.0.attention_probs"]').get_by_role("rowheader", name="猫")
    assert row.count() == 2  # a table for each head


def test_arrow_keys_walk_through_a_table(open_page: OpenPage) -> None:
    page = open_page("?v=1&stage=residual_0")
    page.get_by_role("button", name="我（位置 0），通道 0：0.2500").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_for_line(page, "0.3 + 0 = 0.3")
    assert len(lines(page)) == 1


def test_the_working_can_be_copied_without_permission(open_page: OpenPage) -> None:
    page = open_page("?v=1&lang=en&stage=blocks.0.head_outputs&cell=0.1.0")
    page.evaluate(
        """() => {
            Object.defineProperty(navigator, "clipboard", { value: undefined });
            document.addEventListener("copy", () => {
                window.copied = document.activeElement.value;
            });
        }"""
    )
    card(page).get_by_role("button", name="Copy as text").click()
    card(page).get_by_text("Copied").wait_for()
    assert LINE in page.evaluate("window.copied")


def test_both_engines_are_compared_at_the_stop(open_page: OpenPage) -> None:
    page = open_page("?v=1&lang=en&stage=logits&cell=1.3")
    table = page.get_by_role("table", name="Two engines")
    table.wait_for()
    row = table.get_by_role("row", name="logits")
    assert re.search(r"\d+ of 10", row.inner_text())
    page.get_by_text("The largest in the whole network").wait_for()
    cell = page.locator(".mg-engine-cell")
    cell.wait_for()
    numbers = re.findall(r"2\.1335\d+", cell.inner_text())
    assert len(numbers) == 2


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_answer_is_checked_and_remembered(open_page: OpenPage, language: str) -> None:
    page = open_page(f"?v=1&lang={language}&stage=blocks.0.scores")
    hide = {"zh": "藏起这一步的结果", "en": "Hide the results of this step"}[language]
    hidden = {"zh": "看 我（位置 0）：还没算", "en": "looks at 我 (position 0): not worked out yet"}
    page.get_by_role("checkbox", name=hide).check()
    cell = page.locator('[data-key="blocks.0.scores"] .mg-cell').nth(2)
    page.wait_for_function("cell => cell.textContent === '?'", arg=cell.element_handle())
    assert cell.get_attribute("aria-label").endswith(hidden[language])
    cell.click()
    field = card(page).get_by_role("textbox", name=re.compile("多少|What is"))
    page.wait_for_function("document.activeElement?.id === 'mg-answer'")
    field.fill("-0.7439")
    field.press("Enter")
    page.get_by_text({"zh": "忘了 ÷√D", "en": "It was not divided by √D"}[language]).wait_for()
    field.fill("−0.5260")
    field.press("Enter")
    page.wait_for_function("cell => cell.textContent === '−0.5260'", arg=cell.element_handle())
    page.reload()
    page.wait_for_function(
        """() => {
            const cells = document.querySelectorAll('[data-key="blocks.0.scores"] .mg-cell');
            return cells[2]?.textContent === '−0.5260' && cells[3].textContent === '?';
        }"""
    )


def test_an_edited_weight_and_a_switch_reach_the_working(open_page: OpenPage) -> None:
    page = open_page("?v=1&stage=logits&cell=1.3&edits=lm_head.bias~3~0.5")
    card(page).locator(".mg-line-last").filter(has_text="2.6336").wait_for()
    assert page.locator('[data-key="lm_head.bias"] .mg-edited').count() == 1
    page = open_page("?v=1&stage=blocks.0.ffn_update&cell=1.0&switches=blocks.0.ffn~false")
    card(page).locator(".mg-line-last").filter(has_text="×0 = 0").wait_for()
    assert lines(page)[0].endswith("×0 = 0")


def test_the_learned_network_has_a_step_for_every_stop_of_both_blocks(open_page: OpenPage) -> None:
    page = open_page("?v=1&model=trained&tokens=0-1-2&stage=blocks.1.ffn_update&cell=2.1")
    page.locator(".mg-bench-step").filter(has_text="/ 33 步").wait_for()
    card(page).locator(".mg-line-last").wait_for()
    for line in lines(page):
        expression, result = re.split(" [=≈] ", line)
        assert reads(expression, result)


def test_an_empty_sentence_says_what_to_do(open_page: OpenPage) -> None:
    page = open_page("?v=1&tokens=&stage=logits&cell=1.3")
    page.get_by_text("先点一个词，这里就会写出每一步的数。").wait_for()
    click_word(page, "猫")
    page.locator('[data-key="logits"] .mg-cell').first.wait_for()
