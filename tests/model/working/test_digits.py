"""The digits of a line: as few as make it work out, and honest where none do."""

from __future__ import annotations

from model.working.digits import chosen_digits
from model.working.expression import Difference, Operand, Product, Quotient, Ref, Sum
from model.working.numbers import result_text

SOMEWHERE = Ref("x", (0,))


def number(value: float) -> Operand:
    return Operand(value, SOMEWHERE, single=False)


def test_four_decimals_where_they_are_enough() -> None:
    found = chosen_digits(Sum((number(0.12341), number(0.2))), 0.32341, 4, 4)
    assert (found.operand, found.result, found.plain) == (4, 4, None)


def test_more_for_the_operands_where_four_miss_the_result() -> None:
    node = Product((number(3.0), number(0.213433)))
    found = chosen_digits(node, 0.640299, 4, 4)
    assert (found.operand, found.result) == (5, 4)
    assert found.plain == ("0.6402", "0.6403")


def test_one_more_of_the_result_where_it_is_close_to_a_tie() -> None:
    node = Sum((number(0.100024), number(0.200026003)))
    found = chosen_digits(node, 0.300050003, 4, 4)  # 0.3001 would take nine decimals of each
    assert (found.operand, found.result) == (5, 5)


def test_a_cancelled_sum_reads_zero() -> None:
    node = Sum((number(0.1), number(-0.1 + 3e-9)))
    found = chosen_digits(node, 3e-9, 4, 4)
    assert result_text(3e-9, found.result).text == "0.0000"


def test_a_divisor_that_would_read_zero_gets_its_figures() -> None:
    node = Quotient(number(1e-8), number(4e-8))
    found = chosen_digits(node, 0.25, 4, 4)
    assert found.operand > 4


def test_fewer_figures_of_a_large_result_where_float32_shows() -> None:
    node = Product((number(1234.5), number(1.0)))
    found = chosen_digits(node, 1234.50012, 4, 4)
    assert (found.engine, found.approximate) == (True, False)
    assert found.result < 4


def test_what_does_not_follow_is_not_called_equal() -> None:
    node = Difference(number(0.5), number(0.2))
    found = chosen_digits(node, 0.301, 4, 4)
    assert found.approximate
