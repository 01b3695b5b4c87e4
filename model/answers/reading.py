"""Reading the number a learner typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.errors import InputError
from model.typed_numbers import LONGEST, read_number


@dataclass(frozen=True)
class Answer:
    """A number, and to how many decimals it was given."""

    value: float
    decimals: int


def read_answer(text: Any) -> Answer:
    """`text` as a number, infinite ones too.

    Raises:
        InputError: it is no number, or could be two.
    """
    typed = read_number(text)
    if typed is None:
        raise InputError("answer", value=str(text)[:LONGEST])
    return Answer(float(typed.value), typed.decimals)
