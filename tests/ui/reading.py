"""Reading the page as a person does, and doing what a person does to it."""

from __future__ import annotations

from typing import Any

Bars = dict[str, tuple[str, str]]

PROMPT_A: Bars = {
    "我": ("0.1742", "1.1128"),
    "喜欢": ("0.0037", "−2.7390"),
    "AI": ("0.0124", "−1.5262"),
    "学习": ("0.4835", "2.1336"),
    "猫": ("0.3261", "1.7397"),
}
"""What the bars show for 我 喜欢, the lesson's prompt A."""

NO_NUMBERS: Bars = dict.fromkeys(PROMPT_A, ("—", "—"))


def bars(page: Any) -> Bars:
    """`{word: (probability, logit)}` as the next-word bars show them."""
    read: list[list[str]] = page.locator(".mg-bars tbody tr").evaluate_all(
        """rows => rows.map(row => [...row.querySelectorAll("th, .mg-number")]
            .map(cell => cell.textContent))"""
    )
    return {word: (probability, logit) for word, probability, logit in read}


def wait_for_bars(page: Any, expected: Bars) -> None:
    """Return when the bars show `expected`."""
    page.wait_for_function(
        """expected => {
            const rows = [...document.querySelectorAll(".mg-bars tbody tr")];
            return rows.length === Object.keys(expected).length && rows.every((row) => {
                const [word, ...numbers] = [...row.querySelectorAll("th, .mg-number")]
                    .map((cell) => cell.textContent);
                return JSON.stringify(numbers) === JSON.stringify(expected[word]);
            });
        }""",
        arg={word: list(numbers) for word, numbers in expected.items()},
    )


def chips(page: Any) -> list[str]:
    """The words of the sentence, without what only a screen reader says."""
    read: list[str] = page.locator(".mg-chip").evaluate_all(
        "chips => chips.map(chip => chip.firstChild.textContent)"
    )
    return read


def wait_for_chips(page: Any, expected: list[str]) -> None:
    """Return when the sentence is `expected`."""
    page.wait_for_function(
        """expected => JSON.stringify([...document.querySelectorAll(".mg-chip")]
            .map((chip) => chip.firstChild.textContent)) === JSON.stringify(expected)""",
        arg=expected,
    )


def wait_for_count(page: Any, count: int) -> None:
    """Return when the sentence has `count` words."""
    page.wait_for_function(
        'count => document.querySelectorAll(".mg-chip").length === count', arg=count
    )


def click_word(page: Any, word: str) -> None:
    """Click a word of the palette."""
    palette(page).get_by_role("button", name=word).click()


def palette(page: Any) -> Any:
    """The five words, in either language."""
    return page.locator(".mg-palette")


def alert(page: Any) -> str:
    """What the page says went wrong, or nothing."""
    text: str = page.get_by_role("alert").locator(".mg-alert-text").inner_text()
    return text


def wait_for_alert(page: Any, part: str) -> None:
    """Return when the alert contains `part`."""
    page.get_by_role("alert").filter(has_text=part).locator(".mg-alert-text").wait_for()


def press(page: Any, name: str) -> None:
    """Press the button called `name`."""
    page.get_by_role("button", name=name, exact=True).click()


def open_more(page: Any) -> Any:
    """What the sentence row keeps behind 更多 / More, opened: it is shut by a click elsewhere."""
    panel = page.locator(".mg-more")
    if not panel.is_visible():
        page.locator(".mg-more-button").click()
        panel.wait_for()
    return panel


def wait_for_bar(page: Any, word: str, probability: str, logit: str) -> None:
    """Return when the word's bar stands at these numbers (the logit is not shown where the bars
    have little room)."""
    row = page.locator(f'.mg-bars tr[data-word="{word}"]')
    row.filter(has_text=f"{probability}{logit}").wait_for()
