"""Numbers as a working writes them, and what their texts stand for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from model.working.numbers import fixed_text, number_text
from tests.model.working.shown_arithmetic import worked_out


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.99441946, 4, "0.9944"),
        (-0.21564555, 4, "−0.2156"),
        (0.994419455, 6, "0.994419"),
        (0.25, 4, "0.25"),  # in full
        (0.25000001, 4, "0.2500"),  # rounded
        (-1.0, 4, "−1"),
        (1000.0, 4, "1000"),
        (0.2, 4, "0.2"),
        (0.0, 4, "0"),
        (-0.00001, 4, "−0.00001"),
        (0.0000361, 4, "0.000036"),  # two figures stay
        (0.00005, 4, "0.0001"),  # halves away from zero, as the page's tables
        (0.05375, 4, "0.0538"),  # as a person writes it, not as its float is
        (-0.03125, 4, "−0.0313"),
        (-math.inf, 4, "−∞"),
        (12345678.9, 4, "1.2346×10⁷"),
        (2.5e-9, 6, "2.5×10⁻⁹"),
        (2.5e-9, 4, "0.0000"),  # nearly zero is not the 0 that is zero
    ],
)
def test_numbers(value: float, decimals: int, text: str) -> None:
    assert number_text(value, decimals).text == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.2, "0.2000"), (-0.00001, "0.0000"), (0.05375, "0.0538"), (-math.inf, "−∞")],
)
def test_numbers_of_a_table(value: float, text: str) -> None:
    assert fixed_text(value, 4) == text


def test_the_value_is_what_the_text_says() -> None:
    generator = np.random.default_rng(0)
    for value in generator.normal(size=300) * 10.0 ** generator.integers(-9, 9, size=300):
        for decimals in (4, 5, 7):
            shown = number_text(float(value), decimals)
            assert worked_out(shown.text) == pytest.approx(shown.value, rel=1e-12, abs=0)
            assert abs(shown.value - value) <= shown.step * 0.5000001
            assert shown.atomic == shown.text.replace(".", "").isascii()
            assert shown.exact == (worked_out(shown.text) == value)
