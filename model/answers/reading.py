"""Reading the number a learner typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.errors import InputError
from model.typed_numbers import LONGEST, read_number


@dataclass(frozen=True)
class Answer:
    """A number, and how many decimals it was given with."""

    value: float
    decimals: int


def read_answer(text: Any) -> Answer:
    """`text` as a number; infinity is accepted.

    Raises:
        InputError: not a number, or ambiguous.
    """
    typed = read_number(text)
    if typed is None:
        raise InputError("answer", value=str(text)[:LONGEST])
    return Answer(float(typed.value), typed.decimals)
