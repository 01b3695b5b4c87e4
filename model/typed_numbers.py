"""The parser of all numbers that users type: answers, weights, counts, sampling, training.

`web/typed_number.js` is the same parser in the browser; `tests/typed_numbers.json` tests both on
the same cases.

Accepted are full-width digits, a comma or 。 for the point, every dash and 负 for minus, per
cent, powers of ten (4.8e-1, 4.8 × 10⁻¹), fractions (29/60), groups of three (10,767.63) and a
leading ≈. Ambiguous input is rejected.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from model.errors import InputError

LONGEST = 40  # characters
EXACT = 16
"""Decimals that a fraction counts as: the precision of a float64."""

_LARGEST_WHOLE = 2**64  # seeds are below half of it; a larger number becomes a float
_LARGEST_PART = 2**53  # of a fraction: a browser's floats hold integers exactly up to this
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SIGNS = str.maketrans(
    {**dict.fromkeys("−–—‒‐‑负", "-"), "正": "+", "。": ".", "÷": "/", "⁄": "/", "∕": "/"}
)
_INFINITIES = ("∞", "inf", "infinity", "无穷", "无穷大")
_DECIMAL = r"(?:[0-9][0-9,]*(?:\.[0-9]*)?|[.,][0-9]+)"
_NUMBER = re.compile(
    rf"(?P<number>{_DECIMAL})(?P<percent>%)?(?:(?:e|[×x*]10\^)(?P<power>[+-]?[0-9]{{1,3}}))?"
)
_FRACTION = re.compile(rf"(?P<above>{_DECIMAL})/(?P<below>{_DECIMAL})")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+")


@dataclass(frozen=True)
class TypedNumber:
    """What was typed: an int where it is whole (and below 2^64), else a float; may be infinite.

    decimals: how many decimals it was given with.
    """

    value: int | float
    decimals: int


def read_number(text: Any) -> TypedNumber | None:
    """`text` as a number; None if it is not one.

    Raises:
        InputError: its comma can be a decimal point or a thousands separator ("1,234").
    """
    folded = _folded(str(text))
    if folded is None:
        return None
    sign = -1 if folded.startswith("-") else 1
    body = folded[1:] if folded[:1] in ("-", "+") else folded
    if body in _INFINITIES:
        return TypedNumber(sign * math.inf, 0)
    found = _fraction(body, text) or _number(body, text)
    if found is None:
        return None
    exact, decimals = found
    try:
        value = float(exact)
    except OverflowError:
        return None
    if exact.denominator == 1 and exact <= _LARGEST_WHOLE:
        return TypedNumber(sign * exact.numerator, decimals)
    return TypedNumber(sign * value + 0.0, decimals)  # never -0.0


def _folded(text: str) -> str | None:
    """`text` with one form of each sign and no spaces; None if a space separates digits."""
    raised = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+", lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text)
    folded = unicodedata.normalize("NFKC", raised).lower().translate(_SIGNS).strip()
    if not folded or len(folded) > LONGEST or re.search(r"[0-9]\s+[0-9]", folded):
        return None
    return re.sub(r"^[≈=约]", "", re.sub(r"\s", "", folded))


def _number(body: str, text: Any) -> tuple[Fraction, int] | None:
    found = _NUMBER.fullmatch(body)
    if found is None or (found["percent"] and found["power"]):
        return None
    plain = _plain(found["number"], text)
    if plain is None:
        return None
    shift = -2 if found["percent"] else int(found["power"] or 0)
    given = len(plain.partition(".")[2])
    return Fraction(plain) * Fraction(10) ** shift, max(given - shift, 0)


def _fraction(body: str, text: Any) -> tuple[Fraction, int] | None:
    found = _FRACTION.fullmatch(body)
    parts = [_plain(found[name], text) for name in ("above", "below")] if found else [None]
    places = max(len((part or "").partition(".")[2]) for part in parts)
    scaled = [Fraction(part) * 10**places for part in parts if part is not None]
    if len(scaled) < 2 or scaled[1] == 0 or max(scaled) > _LARGEST_PART:
        return None
    return scaled[0] / scaled[1], EXACT


def _plain(digits: str, text: Any) -> str | None:
    """`digits` with a decimal point or without; None if its commas are invalid."""
    whole, point, fraction = digits.partition(".")
    if "," not in whole:
        plain = digits
    elif _GROUPED.fullmatch(whole) and (point or whole.count(",") > 1):
        plain = whole.replace(",", "") + point + fraction
    elif point or whole.count(",") > 1:
        return None
    elif _GROUPED.fullmatch(whole):
        raise InputError(
            "number_comma",
            value=str(text).strip()[:LONGEST],
            decimal=whole.replace(",", "."),
            whole=whole.replace(",", ""),
        )
    else:
        plain = whole.replace(",", ".")
    return f"0{plain.removesuffix('.')}"
