"""How many digits a card must show so that computing it by hand gives the results it states.

A number is written the same way throughout a card. All start with the fewest decimals; if a
line, computed from the digits it shows, does not give its result, its operands get more.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence

from model.working.equations import Equation
from model.working.expression import Node, Operand, evaluate, operands
from model.working.numbers import Shown, number_text, rounded_decimal

_MORE_OPERAND_DECIMALS = 6  # beyond the result's: for long sums and large factors
_MORE_RESULT_DECIMALS = 3
_MOST_DECIMALS = 12
_MARGIN = 1e-6  # of a unit of the last decimal shown: a tie could round either way
_MOST_ROUNDS = 100


class Digits:
    """The decimals of every number of a card, by absolute value: equal for 0.3 and −0.3.

    least: the fewest decimals of any number.
    """

    def __init__(self, least: int, decimals: dict[float, int] | None = None) -> None:
        self.least = least
        self._decimals = decimals or {}

    def of(self, value: float) -> int:
        """How many decimals `value` gets."""
        return self._decimals.get(abs(value), _fitting(value, self.least, self.least))

    def shown(self, value: float) -> Shown:
        """`value` with its decimals, as text."""
        return number_text(value, self.of(value))

    def read(self, operand: Operand) -> float:
        """The number that the text of `operand` stands for."""
        return self.shown(operand.value).value

    def with_more(self, values: Iterable[float], decimals: int) -> Digits:
        """A copy with at least `decimals` for each of `values`."""
        raised = {
            abs(value): max(self.of(value), _fitting(value, decimals, self.least))
            for value in values
        }
        return Digits(self.least, self._decimals | raised)


@functools.lru_cache(maxsize=1 << 16)
def _fitting(value: float, decimals: int, least: int) -> int:
    """At least `decimals`, and as many that the number shown rounds to the one in the table.

    0.12349 shown as 0.1235 is 0.1235 in the table; 0.123449 shown as 0.12345 is not 0.1234.
    """
    if not math.isfinite(value):
        return decimals
    table = rounded_decimal(value, least)
    while decimals < _MOST_DECIMALS:
        shown = number_text(value, decimals)
        if shown.exact or rounded_decimal(shown.value, least) == table:
            break
        decimals += 1
    return decimals


def chosen_digits(lines: Sequence[Equation], least: int) -> Digits:
    """Decimals with which every line, evaluated as shown, rounds to its result as shown."""
    digits = Digits(least)
    hopeless: set[int] = set()
    for _ in range(_MOST_ROUNDS):
        wrong = [
            number
            for number, line in enumerate(lines)
            if number not in hopeless and not reads(line, digits)
        ]
        if not wrong:
            break
        last = wrong[-1]  # last line first: its digits apply to the earlier lines too
        found = _enough(lines[last], digits)
        if found is None:
            hopeless.add(last)
        else:
            digits = found
    return digits


def _enough(line: Equation, digits: Digits) -> Digits | None:
    """The fewest that make `line` right; one more of the result if it saves two per operand."""
    best: tuple[int, int, Digits] | None = None
    first = digits.of(line.value)
    numbers = [operand.value for operand in operands(line.node)]
    for result in range(first, first + _MORE_RESULT_DECIMALS + 1):
        wider = digits.with_more([line.value], result)
        for decimals in range(digits.least, result + _MORE_OPERAND_DECIMALS + 1):
            if best is not None and decimals > best[0] - 2:
                break
            tried = wider.with_more(numbers, decimals)
            if reads(line, tried):
                best = (decimals, result, tried)
                break
        if best is not None and result > best[1]:
            break
    return None if best is None else best[2]


def reads(line: Equation, digits: Digits) -> bool:
    """Whether the operands as shown give the result as shown, not close to a rounding tie."""
    worked = worked_out(line.node, digits)
    return worked is not None and agrees(worked, digits.shown(line.value))


def worked_out(node: Node, digits: Digits) -> float | None:
    """`node` from its operands as shown; None if a divisor is shown as 0.0000."""
    try:
        return evaluate(node, digits.read)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None


def agrees(worked: float, shown: Shown) -> bool:
    """Whether `worked` rounds to the number shown, not close to a tie."""
    if math.isinf(shown.value) or math.isinf(worked):
        return worked == shown.value
    return abs(worked - shown.value) < shown.step * (0.5 - _MARGIN)


def plain_result(line: Equation, digits: Digits) -> str | None:
    """The result from the fewest decimals, if it differs from the table's; else None."""
    fewest = Digits(digits.least)
    numbers = [operand.value for operand in operands(line.node)]
    if all(fewest.shown(number).text == digits.shown(number).text for number in numbers):
        return None
    worked = worked_out(line.node, fewest)
    if worked is None or math.isinf(worked):
        return None
    expected = fewest.shown(line.value)
    # Without the float error, so that a half rounds as in a calculation by hand.
    plain = number_text(round(worked, _MOST_DECIMALS), digits.least)
    places = max(digits.least, round(-math.log10(expected.step)))
    if rounded_decimal(plain.value, places) == rounded_decimal(expected.value, places):
        return None
    return plain.text
