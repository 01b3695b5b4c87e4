"""The digits of a card: as few as make it work out, and one way of writing for one number."""

from __future__ import annotations

from model.working.card import card
from model.working.digits import chosen_digits
from model.working.equations import Equation
from model.working.expression import (
    Constant,
    Difference,
    Node,
    Operand,
    Product,
    Quotient,
    Ref,
    Sum,
)

SOMEWHERE = Ref("x", (0,))


def number(value: float, engine: float | None = None) -> Operand:
    return Operand(value, SOMEWHERE, engine)


def line(node: Node, value: float, engine: float | None = None) -> Equation:
    return Equation("logits", Ref("y", (0,)), node, value, engine=engine)


def text_of(node: Node, value: float) -> str:
    return card([line(node, value)]).lines[0].text


def test_four_decimals_where_they_are_enough() -> None:
    assert text_of(Sum((number(0.12341), number(0.2))), 0.32341) == "0.1234 + 0.2 = 0.3234"


def test_more_for_the_operands_where_four_miss_the_result() -> None:
    (made,) = card([line(Product((number(3.0), number(0.213433))), 0.640299)]).lines
    assert made.text == "3×0.21343 ≈ 0.6403"
    (note,) = made.notes
    assert note.values == {"decimals": 4, "plain": "0.6402", "result": "0.6403"}


def test_one_more_of_the_result_where_it_is_close_to_a_tie() -> None:
    node = Sum((number(0.100024), number(0.200026003)))  # 0.3001 would take nine of each
    assert text_of(node, 0.300050003) == "0.10002 + 0.20003 = 0.30005"


def test_a_divisor_that_would_read_zero_gets_its_figures() -> None:
    node = Quotient(number(1e-8), number(4e-8))
    assert chosen_digits([line(node, 0.25)], 4).of(4e-8) > 4


def test_a_number_is_written_in_one_way_throughout() -> None:
    """0.123449 is not 0.1234|5 in one place and 0.1234 in another, whatever needs the digits."""
    first = Equation("mean", Ref("m", ()), Quotient(number(0.246898), Constant("2", 2)), 0.123449)
    second = line(Product((number(7000.0), Operand(0.123449, Ref("m", ())))), 864.143)
    lines = card([first, second]).lines
    assert lines[0].result == "0.123449"
    assert lines[1].text == "7000×0.123449 = 864.143"


def test_what_is_shown_does_not_round_to_another_number_than_the_table_s() -> None:
    """0.123449 with five decimals is 0.12345, which would round to 0.1235."""
    digits = chosen_digits([line(number(0.123449), 0.123449)], 4).with_more([0.123449], 5)
    assert digits.shown(0.123449).text == "0.123449"


def test_equal_and_rounded() -> None:
    assert text_of(Difference(number(0.3), number(0.3)), 0.0) == "0.3 − 0.3 = 0"
    assert text_of(Quotient(number(1.0), Constant("3", 3)), 1 / 3) == "1 ÷ 3 ≈ 0.3333"


def test_where_an_engine_has_another_number_both_are_shown() -> None:
    node = Sum((number(0.5), number(0.25)))
    assert card([line(node, 0.75, engine=0.75001)]).lines[0].notes == ()
    (note,) = card([line(node, 0.75, engine=0.7502)]).lines[0].notes
    assert (note.key, note.values) == ("engine_rounding", {"formula": "0.75", "engine": "0.7502"})


def test_an_engine_s_number_is_compared_in_the_digits_shown() -> None:
    node = Product((number(3.0), number(0.213433, engine=0.213439)))
    (digits, engine) = card([line(node, 0.640299)]).lines[0].notes
    assert digits.key == "digits"
    assert engine.values == {"formula": "0.21343", "engine": "0.21344"}
