"""The tests' own reader of shown arithmetic reads what a person would."""

from __future__ import annotations

import math

import pytest

from tests.model.working.shown_arithmetic import is_equal, last_unit, reads, worked_out


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 − 2 − 3", -4),
        ("2×3 + 4×(−5)", -14),
        ("12 ÷ 2 ÷ 3", 2),
        ("−0.5×(1 + 3)²", -8),
        ("√(9 + 16) ÷ √4", 2.5),
        ("exp(−∞)", 0),
        ("max(−3, 2×4, 1)", 8),
        ("(2.5×10⁻³)×4", 0.01),
        ("0.5 + (−∞)", -math.inf),
        ("erf(0)", 0),
    ],
)
def test_reads_as_a_person_would(text: str, value: float) -> None:
    assert worked_out(text) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("text", ["", "1 +", "(1", "1 2", "-1", "exp 1", "1)", "2x3"])
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"read|expected|left over"):
        worked_out(text)


def test_the_unit_of_the_last_figure() -> None:
    assert last_unit("0.9944") == 1e-4
    assert last_unit("−12") == 1
    assert last_unit("2.15×10⁻⁹") == pytest.approx(1e-11)


def test_the_lesson_s_own_line_does_not_read_the_unrounded_logit() -> None:
    assert reads("3×0.2134 − (−1.4933)", "2.1335")
    assert not reads("3×0.2134 − (−1.4933)", "2.1336")


@pytest.mark.parametrize(
    ("expression", "result", "equal"),
    [
        ("0.1 + 0.2", "0.3", True),
        ("1 ÷ 3", "0.3333", False),
        ("((−0.05)² + (−0.3)² + 0.35² + 0²) ÷ 4", "0.05375", True),
        ("√(9 ÷ 4)", "1.5", True),
        ("√2", "1.4142", False),
        ("√(√2 + 0)", "1.1892", False),
        ("exp(0) + exp(−∞)", "1", True),
        ("exp(1)", "2.7183", False),
        ("0.5 + (−∞)", "−∞", True),
        ("(2.5×10⁻³)×4", "0.01", True),
        ("max(0.1, 0.5)", "0.5", True),
    ],
)
def test_equal_is_without_rounding(expression: str, result: str, equal: bool) -> None:
    assert is_equal(expression, result) == equal
