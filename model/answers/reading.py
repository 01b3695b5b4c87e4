"""Reading the number a learner typed."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from typing import Any

from model.errors import InputError
from model.working.numbers import INFINITY, MINUS

_LONGEST = 40
_DASHES = (MINUS, "\N{EN DASH}", "\N{EM DASH}")
_INFINITIES = (INFINITY, "inf", "infinity", "无穷", "无穷大")


@dataclass(frozen=True)
class Answer:
    """A number, and to how many decimals it was given."""

    value: float
    decimals: int


def read_answer(text: Any) -> Answer:
    """`text` as a number: full-width digits, a real minus sign, 0,5 for 0.5 and −∞ are fine.

    Raises:
        InputError: it is no number.
    """
    folded = unicodedata.normalize("NFKC", str(text)).strip().lower()
    for dash in _DASHES:
        folded = folded.replace(dash, "-")
    plain = folded.replace(",", ".").replace(" ", "")
    sign, digits = (-1, plain[1:]) if plain.startswith("-") else (1, plain.removeprefix("+"))
    if digits in _INFINITIES:
        return Answer(sign * math.inf, 0)
    whole, point, fraction = digits.partition(".")
    number = (whole + fraction).isascii() and (whole + fraction).isdecimal()
    if not number or len(plain) > _LONGEST:
        raise InputError("answer", value=str(text)[:_LONGEST])
    return Answer(
        sign * float(f"{whole or '0'}{point}{fraction or '0'}" if point else whole), len(fraction)
    )
