"""The verdict on a learner's number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from model.answers.mistakes import mistakes
from model.answers.reading import Answer
from model.working.recipes import steps_of
from model.working.source import CHOICE, Source

_RIGHT = 0.5e-4  # half a unit of the fourth decimal
_NEARLY = 0.5e-2  # half a unit of the second
_SLACK = 1e-9  # of float arithmetic on a tie

Grade = Literal["right", "nearly", "wrong"]


@dataclass(frozen=True)
class Hint:
    """What to tell: the key of a sentence (`working.mistake.{key}`) and its values."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """right: to four decimals; nearly: to two, or one usual mistake away; else wrong."""

    grade: Grade
    hint: Hint | None = None


def judge(source: Source, key: str, cell: tuple[int, ...], answer: Answer) -> Verdict:
    """How `answer` stands to the number in the cell.

    Raises:
        InputError: there is no such cell.
    """
    value = source.operand(key, *cell).value
    if _is_right(answer, value):
        return Verdict("right")
    if key == CHOICE:
        return Verdict("wrong", Hint("not_largest"))
    if math.isinf(value):
        unmasked = any(_matches(answer, number) for _, number in mistakes(source, key, cell))
        return Verdict("nearly", Hint("forgot_mask")) if unmasked else _wrong(source, key, cell)
    by_value = judge_value(value, answer)
    if by_value:
        return by_value
    hint = _recognised(source, key, cell, answer, value)
    return Verdict("nearly", hint) if hint else _wrong(source, key, cell)


def judge_value(value: float, answer: Answer) -> Verdict | None:
    """Right or nearly by the number alone; None if it is neither."""
    if _is_right(answer, value):
        return Verdict("right")
    if abs(answer.value - value) <= _NEARLY + _SLACK:
        few = answer.decimals < 4
        return Verdict("nearly", Hint("more_decimals" if few else "rounding"))
    return None


def _is_right(answer: Answer, value: float) -> bool:
    if math.isinf(value) or math.isinf(answer.value):
        return answer.value == value
    return abs(answer.value - value) <= _RIGHT + _SLACK


def _matches(answer: Answer, number: float) -> bool:
    """Whether `answer` is `number`, rounded to the decimals it was given to (2 to 4)."""
    if not math.isfinite(number):
        return answer.value == number
    decimals = min(max(answer.decimals, 2), 4)
    return abs(answer.value - number) <= 0.5 * 10.0**-decimals + _SLACK


def _recognised(
    source: Source, key: str, cell: tuple[int, ...], answer: Answer, value: float
) -> Hint | None:
    """The mistake that gives this number, if it is a usual one."""
    if _matches(answer, -value):
        return Hint("sign")
    for name, number in mistakes(source, key, cell):
        if _matches(answer, number):
            return Hint(name)
    *before, _ = steps_of(source, key, cell)
    for step in before:
        if _matches(answer, step.value):
            return Hint("stopped_at", {"label": step.label})
    return _neighbour(source, key, cell, answer)


def _neighbour(source: Source, key: str, cell: tuple[int, ...], answer: Answer) -> Hint | None:
    """Another cell of the same value that holds this number, the nearest first."""
    array = source.array(key)
    places = [place for place in np.ndindex(*array.shape) if place != cell]
    places.sort(key=lambda place: sum(a != b for a, b in zip(place, cell, strict=True)))
    for place in places:
        if _matches(answer, float(array[place])) and float(array[place]) != 0:
            return Hint("other_cell", {"cell": list(place)})
    return None


def _wrong(source: Source, key: str, cell: tuple[int, ...]) -> Verdict:
    """Not a known mistake: the step the working begins with is the one to look at first."""
    first = steps_of(source, key, cell)[0]
    return Verdict("wrong", Hint("start_again", {"label": first.label}))
