"""The verdict on a learner's number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from model.answers.mistakes import mistakes
from model.answers.reading import Answer
from model.values import CHOICE
from model.working.recipes import equations_of
from model.working.source import Source

_RIGHT = 0.6e-4  # half a unit of the fourth decimal, and room beside a half for what rounding on
# the way, to the worksheet's digits, leaves undecided
_NEARLY = 0.5e-2  # of the value: what rounding on the way makes of it
_LAST_FIGURES = 1.5e-4  # one unit of the fourth decimal, of a value that has a figure before it
_COARSE = 0.15  # of a number: what is rounded more than this says nothing about it
_SLACK = 1e-9  # of float arithmetic on a tie
_LAST_BITS = 1e-14  # of a number: what two ways of computing the same leave between them

Grade = Literal["right", "nearly", "wrong"]


@dataclass(frozen=True)
class Hint:
    """What to tell: the key of a sentence (`working.mistake.{key}`) and its values."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """right: to four decimals; nearly: close to it, or one usual mistake away; else wrong."""

    grade: Grade
    hint: Hint | None = None


def judge(source: Source, key: str, cell: tuple[int, ...], answer: Answer) -> Verdict:
    """How `answer` stands to the number in the cell: the formula's, or the engine's own.

    A known mistake is named before an answer is called close: a mistake may come close too.

    Raises:
        InputError: there is no such cell.
    """
    found = source.operand(key, *cell)
    values = [found.value] if found.engine is None else [found.value, found.engine]
    if any(_is_right(answer, value) for value in values):
        return Verdict("right")
    if key == CHOICE:
        return Verdict("wrong", Hint("not_largest"))
    if math.isinf(found.value):
        unmasked = any(_matches(answer, number) for _, number in mistakes(source, key, cell))
        return Verdict("nearly", Hint("forgot_mask")) if unmasked else _wrong(source, key, cell)
    hint = _hint(source, key, cell, answer, found.value)
    return Verdict("nearly", hint) if hint else _wrong(source, key, cell)


def judge_value(value: float, answer: Answer) -> Verdict | None:
    """Right or nearly by the number alone; None if it is neither."""
    if _is_right(answer, value):
        return Verdict("right")
    if _is_rounded(answer, value):
        return Verdict("nearly", Hint("more_decimals"))
    return Verdict("nearly", Hint("rounding")) if _is_close(answer, value) else None


def _is_right(answer: Answer, value: float) -> bool:
    if math.isinf(value) or math.isinf(answer.value):
        return answer.value == value
    return abs(answer.value - value) <= _RIGHT + _slack(value)


def _slack(number: float) -> float:
    return max(_SLACK, _LAST_BITS * abs(number))


def _is_rounded(answer: Answer, value: float) -> bool:
    """Whether `answer` is `value`, rounded to fewer than four decimals."""
    step = 0.5 * 10.0**-answer.decimals
    tells = answer.decimals < 4 and step <= _COARSE * abs(value)
    return tells and abs(answer.value - value) <= step + _slack(value)


def _is_close(answer: Answer, value: float) -> bool:
    """Whether rounding on the way may have led to `answer`; nothing is close to 0."""
    last_figures = min(_LAST_FIGURES, abs(value) / 10)
    return abs(answer.value - value) <= max(_NEARLY * abs(value), last_figures)


def _matches(answer: Answer, number: float) -> bool:
    """Whether `answer` is `number`, rounded to the decimals it was given to (2 to 4)."""
    if not math.isfinite(number):
        return answer.value == number
    decimals = min(max(answer.decimals, 2), 4)
    step = 0.5 * 10.0**-decimals
    tells = decimals == 4 or step <= _COARSE * abs(number)
    near = abs(answer.value - number) <= step + _slack(number)
    return _is_just(answer, number) or (tells and near)


def _is_just(answer: Answer, number: float) -> bool:
    """Whether `answer` is all of `number`."""
    return abs(answer.value - number) <= _slack(number)


def _hint(
    source: Source, key: str, cell: tuple[int, ...], answer: Answer, value: float
) -> Hint | None:
    """The mistake that gives this number, if it is a usual one, or how close it came."""
    known = [("sign", -value), *mistakes(source, key, cell)]
    for name, number in known:
        if _is_just(answer, number):
            return Hint(name)
    if _is_rounded(answer, value):
        return Hint("more_decimals")
    for name, number in known:
        if _matches(answer, number):
            return Hint(name)
    *before, _ = equations_of(source, key, cell)
    for step in before:
        if _matches(answer, step.value):
            return Hint("stopped_at", {"label": step.label})
    return Hint("rounding") if _is_close(answer, value) else _neighbour(source, key, cell, answer)


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
    first = equations_of(source, key, cell)[0]
    return Verdict("wrong", Hint("start_again", {"label": first.label}))
