"""How many digits a line must show so that a person who works it out gets what it says."""

from __future__ import annotations

import math
from dataclasses import dataclass

from model.working.expression import Node, Sum, evaluate
from model.working.numbers import Shown, result_decimals, result_text

_MORE_OPERAND_DECIMALS = 6  # than the result's: a sum of many, or a large factor
_SURE_FIGURES = 5  # of the 7 to 8 that a float32 has
_MORE_RESULT_DECIMALS = 3
_MARGIN = 1e-6  # of a unit of the last decimal shown: a tie would read either way
_NOISE = 1e-6  # of the largest term of a sum: what float32 leaves of a difference of equals


@dataclass(frozen=True)
class Digits:
    """Decimals to show, and what a calculation with fewer would have given.

    plain: the result from operands with the least decimals, and the result itself, as text,
    where they differ.
    engine: the engine's own float32 rounding shows, so the result has fewer decimals.
    approximate: it shows in every decimal, so the line can't say "=".
    """

    operand: int
    result: int
    plain: tuple[str, str] | None = None
    engine: bool = False
    approximate: bool = False


def chosen_digits(node: Node, value: float, operand: int, result: int) -> Digits:
    """The least decimals with which `node`, evaluated as shown, rounds to `value` as shown.

    node: the right-hand side; value: what the engine computed; operand, result: the fewest
    decimals to try for the operands and for the result.
    """
    least = result if _is_noise(node, value) else result_decimals(value, result)
    plain = _plain(node, value, operand, least)
    found = _fewest_digits(node, value, operand, least)
    if found is not None:
        return Digits(*found, plain)
    for decimals in range(least - 1, _fewest(value) - 1, -1):
        enough = _enough(node, value, operand, decimals)
        if enough is not None:
            return Digits(enough, decimals, plain, engine=True)
    return Digits(operand, least, plain, engine=True, approximate=True)


def _fewest_digits(node: Node, value: float, operand: int, least: int) -> tuple[int, int] | None:
    """(operand, result) decimals; one more of the result where that saves two of each operand."""
    best: tuple[int, int] | None = None
    for decimals in range(least, least + _MORE_RESULT_DECIMALS + 1):
        enough = _enough(node, value, operand, decimals)
        if enough is not None and (best is None or enough <= best[0] - 2):
            best = (enough, decimals)
        if best is not None and decimals > best[1]:
            break
    return best


def _enough(node: Node, value: float, operand: int, result: int) -> int | None:
    """The fewest operand decimals that give the result."""
    for decimals in range(operand, result + _MORE_OPERAND_DECIMALS + 1):
        if _reads(node, value, decimals, result):
            return decimals
    return None


def _fewest(value: float) -> int:
    """The decimals of a result that still has the figures a float32 is good for."""
    return max(0, _SURE_FIGURES - 1 - math.floor(math.log10(abs(value)))) if value else 0


def _reads(node: Node, value: float, operand: int, result: int) -> bool:
    """Whether the operands as shown give the result as shown, clear of a rounding tie."""
    try:
        worked = evaluate(node, operand)
    except (ZeroDivisionError, OverflowError):  # a divisor that reads 0.0000
        return False
    return agrees(worked, result_text(value, result), result)


def agrees(worked: float, shown: Shown, decimals: int) -> bool:
    """Whether `worked` rounds to the number shown with so many decimals, safely."""
    if math.isinf(shown.value) or math.isinf(worked):
        return worked == shown.value
    unit = _unit(shown, decimals)
    return abs(worked - shown.value) < unit * (0.5 - _MARGIN)


def _unit(shown: Shown, decimals: int) -> float:
    """One step in the last figure of the text."""
    if "×" not in shown.text:
        return 10.0**-decimals
    return float(10.0 ** (math.floor(math.log10(abs(shown.value))) - decimals))


def _plain(node: Node, value: float, operand: int, result: int) -> tuple[str, str] | None:
    try:
        worked = evaluate(node, operand)
    except (ZeroDivisionError, OverflowError):
        return None
    shown, expected = result_text(worked, result).text, result_text(value, result).text
    return None if shown == expected else (shown, expected)


def _is_noise(node: Node, value: float) -> bool:
    """Whether a sum cancelled to what rounding alone leaves: it then reads 0.0000."""
    if not isinstance(node, Sum) or value == 0:
        return False
    largest = max(abs(evaluate(term, None)) for term in node.terms)
    return abs(value) < _NOISE * largest
