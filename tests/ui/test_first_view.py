"""The first visit: the lesson's prompt A is there, with its numbers, and nothing else is asked."""

from __future__ import annotations

from typing import Any

from tests.ui.reading import bars

PROMPT_A = {
    "我": ("0.1742", "1.1128"),
    "喜欢": ("0.0037", "−2.7390"),
    "AI": ("0.0124", "−1.5262"),
    "学习": ("0.4835", "2.1336"),
    "猫": ("0.3261", "1.7397"),
}


def test_a_first_visit_shows_prompt_a_with_its_numbers(page: Any) -> None:
    assert bars(page) == PROMPT_A
