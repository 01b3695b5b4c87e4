"""A number as a person reads it: what the text says, and the value that text stands for.

Every number of a working passes through here, so that the text shown and the value used to
check the arithmetic can't come apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal

import numpy as np

MINUS = "\N{MINUS SIGN}"
INFINITY = "\N{INFINITY}"
DECIMALS = 4  # the lesson's

_SIGNIFICANT = 2  # figures that a small value keeps where 4 decimals would read 0.0000
_SMALLEST_FIXED = 1e-7  # below this, and from _LARGEST_FIXED on, powers of ten
_LARGEST_FIXED = 1e7
_EXACT = Context(prec=1100)  # a float64 has at most 767 significant decimal digits
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Shown:
    """A number's text and the value the text stands for.

    atomic: nothing in the text binds to its neighbours (no sign, no power of ten).
    """

    text: str
    value: float
    atomic: bool


def operand_text(value: float, decimals: int, single: bool = False) -> Shown:
    """`value` as part of an expression.

    Written out in full where at most `decimals` decimals say all of it (0.25, 1, −0.2).
    single: the value is a float32, of which the shortest decimal that reads back counts.
    """
    short = _short(value, decimals, single)
    return short or result_text(value, _kept_decimals(value, decimals))


def result_text(value: float, decimals: int) -> Shown:
    """`value` with `decimals` decimals, halves away from zero; very small or large: ×10ⁿ."""
    if math.isinf(value):
        return Shown(INFINITY if value > 0 else MINUS + INFINITY, value, atomic=value > 0)
    if decimals > 0 and _needs_power(value, decimals):
        return _power_of_ten(value, decimals)
    rounded = rounded_decimal(value, decimals)
    text = f"{abs(rounded):f}"
    negative = rounded < 0
    return Shown(MINUS + text if negative else text, float(rounded), atomic=not negative)


def rounded_decimal(value: float, decimals: int) -> Decimal:
    """`value` to `decimals` decimals, halves away from zero (as JavaScript's toFixed does)."""
    step = Decimal(1).scaleb(-decimals)
    return Decimal(value).quantize(step, rounding=ROUND_HALF_UP, context=_EXACT)


def result_decimals(value: float, decimals: int) -> int:
    """`decimals`, or as many as a small value needs to keep two figures."""
    return _kept_decimals(value, decimals)


def _short(value: float, decimals: int, single: bool) -> Shown | None:
    """The decimal of at most `decimals` decimals that is `value` exactly, if there is one."""
    if not math.isfinite(value) or abs(value) >= _LARGEST_FIXED:
        return None
    rounded = rounded_decimal(value, decimals)
    same = np.float32(float(rounded)) == np.float32(value) if single else float(rounded) == value
    if not same or (rounded == 0 and value != 0):
        return None
    text = f"{abs(rounded):f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return Shown(MINUS + text if rounded < 0 else text, float(rounded), atomic=not rounded < 0)


def _kept_decimals(value: float, decimals: int) -> int:
    if value == 0 or not math.isfinite(value) or abs(value) < _SMALLEST_FIXED:
        return decimals
    if abs(value) >= 0.5 * 10.0**-decimals:
        return decimals
    return max(decimals, _SIGNIFICANT - 1 - math.floor(math.log10(abs(value))))


def _needs_power(value: float, decimals: int) -> bool:
    if abs(value) >= _LARGEST_FIXED:
        return True
    return 0 < abs(value) < _SMALLEST_FIXED and decimals > DECIMALS


def _power_of_ten(value: float, decimals: int) -> Shown:
    mantissa, exponent = f"{abs(value):.{decimals}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    power = str(int(exponent)).translate(_SUPERSCRIPT)
    sign = MINUS if value < 0 else ""
    stands_for = math.copysign(float(f"{mantissa}e{int(exponent)}"), value)
    return Shown(f"{sign}{mantissa}×10{power}", stands_for, atomic=False)
