"""Numbers as text: the text shown, and the number that the text stands for.

Every number of a working passes through here, so that the text shown and the value used to
check the arithmetic can't diverge. A number that the given decimals represent exactly is
written without trailing zeros (0.3); any other has all its decimals (0.3000), which shows that
it is rounded.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal

MINUS = "\N{MINUS SIGN}"
INFINITY = "\N{INFINITY}"
NOT_A_NUMBER = "NaN"
DECIMALS = 4  # the lesson's

_SIGNIFICANT = 2  # significant figures of a small value that 4 decimals would show as 0.0000
_SMALLEST_FIXED = 1e-7  # below this, and from _LARGEST_FIXED on, powers of ten
_LARGEST_FIXED = 1e7
_EXACT = Context(prec=1100)  # a float64 has at most 767 significant decimal digits
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Shown:
    """A number's text and the number the text stands for.

    decimal: that number; ±Infinity for ∞. exact: the text is the whole value. step: one unit of
    the last decimal that was requested. atomic: the text never needs parentheses (no sign, no
    power of ten).
    """

    text: str
    decimal: Decimal
    exact: bool
    step: float
    atomic: bool

    @functools.cached_property
    def value(self) -> float:
        """The number as a float."""
        return float(self.decimal)


@functools.lru_cache(maxsize=1 << 16)
def number_text(value: float, decimals: int) -> Shown:
    """`value` in full if `decimals` decimals represent it exactly, else rounded to them.

    Halves round away from zero. A small value gets as many decimals as show two significant
    figures; a very small or large one is written as ×10ⁿ.
    """
    if math.isinf(value):
        text, number = (INFINITY, "Infinity") if value > 0 else (MINUS + INFINITY, "-Infinity")
        return Shown(text, Decimal(number), exact=True, step=0.0, atomic=value > 0)
    if decimals > 0 and _needs_power(value, decimals):
        return _power_of_ten(value, decimals)
    places = _kept_decimals(value, decimals)
    rounded = rounded_decimal(value, places)
    is_exact = float(rounded) == value
    text = f"{abs(rounded):f}"
    if is_exact and "." in text:
        text = text.rstrip("0").rstrip(".")
    sign = MINUS if rounded < 0 else ""
    return Shown(sign + text, rounded, is_exact, 10.0**-places, atomic=not sign)


def fixed_text(value: float, decimals: int) -> str:
    """`value` with exactly `decimals` decimals, as a table shows it."""
    if math.isinf(value):
        return INFINITY if value > 0 else MINUS + INFINITY
    if math.isnan(value):  # an engine's value after an overflow in float32
        return NOT_A_NUMBER
    rounded = rounded_decimal(value, decimals)
    return (MINUS if rounded < 0 else "") + f"{abs(rounded):f}"


def rounded_decimal(value: float, decimals: int) -> Decimal:
    """`value` to `decimals` decimals, halves away from zero.

    It rounds the shortest decimal of the float: 0.05375 is a tie, whatever its float is.
    """
    step = Decimal(1).scaleb(-decimals)
    return Decimal(repr(float(value))).quantize(step, rounding=ROUND_HALF_UP, context=_EXACT)


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
    stands_for = Decimal(f"{'-' if sign else ''}{mantissa}e{int(exponent)}")
    step = 10.0 ** (int(exponent) - decimals)
    is_exact = float(stands_for) == value
    return Shown(f"{sign}{mantissa}×10{power}", stands_for, is_exact, step, atomic=False)
