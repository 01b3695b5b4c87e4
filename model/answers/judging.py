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

_RIGHT = 0.6e-4  # half a unit of the fourth decimal, plus a margin for rounding intermediate
# results to the worksheet's digits
_NEARLY = 0.5e-2  # relative: the error left by rounding intermediate results
_LAST_FIGURES = 1.5e-4  # absolute: one unit of the fourth decimal and half a unit of rounding
_COARSE = 0.15  # relative: an answer rounded more coarsely than this identifies no number
_SLACK = 1e-9  # absolute: float error where a number lies on a rounding tie
_LAST_BITS = 1e-14  # relative: float64 difference between two ways of computing one number

Grade = Literal["right", "nearly", "wrong"]


@dataclass(frozen=True)
class Hint:
    """A hint to show: the key of its sentence (`working.mistake.{key}`) and its values."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """right: to four decimals; nearly: close, or the result of one common mistake; else wrong."""

    grade: Grade
    hint: Hint | None = None


def judge(source: Source, key: str, cell: tuple[int, ...], answer: Answer) -> Verdict:
    """Judge `answer` against the number in the cell: the formula's or the engine's.

    Known mistakes are tested before closeness, because a mistake's result may be close too.

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
    """The verdict by the number alone, without the working; None if wrong by it."""
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
    """Whether rounding intermediate results may have led to `answer`; only 0 is close to 0."""
    last_figures = min(_LAST_FIGURES, abs(value) / 10)
    return abs(answer.value - value) <= max(_NEARLY * abs(value), last_figures)


def _matches(answer: Answer, number: float) -> bool:
    """Whether `answer` is `number`, rounded to the decimals it was given with (2 to 4)."""
    if not math.isfinite(number):
        return answer.value == number
    decimals = min(max(answer.decimals, 2), 4)
    step = 0.5 * 10.0**-decimals
    tells = decimals == 4 or step <= _COARSE * abs(number)
    near = abs(answer.value - number) <= step + _slack(number)
    return _is_equal(answer, number) or (tells and near)


def _is_equal(answer: Answer, number: float) -> bool:
    """Whether `answer` is `number` in full, up to float error."""
    return abs(answer.value - number) <= _slack(number)


def _hint(
    source: Source, key: str, cell: tuple[int, ...], answer: Answer, value: float
) -> Hint | None:
    """The common mistake that gives this number, or how close it is; None if neither."""
    known = [("sign", -value), *mistakes(source, key, cell)]
    for name, number in known:
        if _is_equal(answer, number):
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
    """Another cell of the same value that holds this number; nearer cells are tried first."""
    array = source.array(key)
    places = [place for place in np.ndindex(*array.shape) if place != cell]
    places.sort(key=lambda place: sum(a != b for a, b in zip(place, cell, strict=True)))
    for place in places:
        if _matches(answer, float(array[place])) and float(array[place]) != 0:
            return Hint("other_cell", {"cell": list(place)})
    return None


def _wrong(source: Source, key: str, cell: tuple[int, ...]) -> Verdict:
    """No known mistake: the hint points to the first step of the working."""
    first = equations_of(source, key, cell)[0]
    return Verdict("wrong", Hint("start_again", {"label": first.label}))
