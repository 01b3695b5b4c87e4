"""Workings of softmax: exponentials, their sum, the probabilities."""

from __future__ import annotations

import numpy as np

from model.values import Placed
from model.working.equations import Equation, Note, equation
from model.working.expression import Call, Difference, Node, Quotient, Sum
from model.working.formula import Floats, Pass, is_shifted
from model.working.recipe import Recipe
from model.working.source import Source

_MOST_SHOWN = 6  # of a longer row only the requested cell's exponential is shown


def probabilities(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """A probability: one exponential divided by the sum of its row."""
    row, asked = cell[:-1], cell[-1]
    count = source.array(key).shape[-1]
    shown = range(count) if count <= _MOST_SHOWN else (asked,)
    top = source.operand(f"{key}.exponentials", *cell)
    node = Quotient(top, source.operand(f"{key}.sum", *row))
    return [
        *(
            line
            for each in shown
            for line in exponential(source, f"{key}.exponentials", (*row, each))
        ),
        *total(source, f"{key}.sum", row),
        equation(source, key, cell, node),
    ]


def exponential(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """exp of a score, minus the row's largest score if the table is shifted."""
    owner = key.rpartition(".")[0]
    (read,) = source.reads(key)
    score: Node = source.operand(read, *cell)
    if not source.is_shifted(owner):
        return [equation(source, key, cell, Call("exp", (score,)))]
    largest = int(np.argmax(source.array(read)[cell[:-1]]))
    shifted = Difference(score, source.operand(read, *cell[:-1], largest))
    return [equation(source, key, cell, Call("exp", (shifted,)), Note("shifted"))]


def total(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The sum of the row's exponentials."""
    exponentials = f"{key.rpartition('.')[0]}.exponentials"
    count = source.array(exponentials).shape[-1]
    terms = tuple(source.operand(exponentials, *cell, each) for each in range(count))
    return [equation(source, key, cell, Sum(terms))]


def _exponentials(a_pass: Pass, at: Placed) -> Floats:
    (scores,) = a_pass.read(at)
    largest = scores.max(axis=-1, keepdims=True) if is_shifted(scores) else 0.0
    return a_pass.rounding.own(np.exp(scores - largest))


def _total(a_pass: Pass, at: Placed) -> Floats:
    (exponentials,) = a_pass.read(at)
    return a_pass.rounding.own(exponentials.sum(axis=-1))


def _shares(a_pass: Pass, at: Placed) -> Floats:
    exponentials, totals = a_pass.read(at)
    return a_pass.rounding.own(exponentials / totals[..., None])


RECIPES = {
    "exponentials": Recipe(_exponentials, exponential),
    "sum": Recipe(_total, total),
    "attention_probs": Recipe(_shares, probabilities),
    "vocabulary_probs": Recipe(_shares, probabilities),
}
