"""Workings of one training step: the loss, d loss / d logits, and one link of the chain rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from model.config import IGNORED_TARGET
from model.errors import InputError
from model.working.card import Card, card
from model.working.equations import Equation
from model.working.expression import (
    Call,
    Constant,
    Difference,
    Node,
    Operand,
    Product,
    Quotient,
    Ref,
    Sum,
)
from model.working.formula import settled, written
from model.working.source import check_cell

if TYPE_CHECKING:
    from model.gradients import GradientStep

LOSS, LOSSES, LOGITS = "gradients.loss", "gradients.losses", "gradients.logits"
PROBABILITIES, FINAL_HIDDEN = "gradients.probabilities", "gradients.final_hidden"
BIAS, WEIGHT = "gradients.lm_head.bias", "gradients.lm_head.weight"
"""Cells: () · (b, t) · (b, t, v) · (b, t, v) · (b, t, c) · (v,) · (v, c)."""


def gradient_working(made: GradientStep, key: str, cell: tuple[int, ...]) -> Card:
    """The working of one number of a training step.

    Raises:
        InputError: there is no such number, or no working for it.
    """
    if key not in _RECIPES:
        raise InputError("working_key", key=key[:60])
    numbers = _numbers(made)
    check_cell(key, cell, numbers.formula[key].shape)
    return card(_RECIPES[key](made, numbers, cell))


@dataclass(frozen=True)
class _Numbers:
    """A step's numbers by key, twice: the formula's, from the engine's logits and last hidden
    state, and the engine's own."""

    formula: dict[str, NDArray[Any]]
    engine: dict[str, NDArray[Any]]

    def operand(self, key: str, *cell: int) -> Operand:
        """A number of the formula, with the engine's."""
        return Operand(
            float(self.formula[key][cell]), Ref(key, cell), float(self.engine[key][cell])
        )

    def equation(self, label: str, key: str, cell: tuple[int, ...], node: Node) -> Equation:
        """The line that computes one cell."""
        found = self.operand(key, *cell)
        return Equation(label, found.ref, node, found.value, engine=found.engine)


def _numbers(made: GradientStep) -> _Numbers:
    engine = {
        LOSS: np.array(made.loss),
        LOSSES: made.losses,
        LOGITS: made.logits_gradient,
        PROBABILITIES: made.probabilities,
        FINAL_HIDDEN: made.final_hidden,
        BIAS: made.weight_gradients["lm_head.bias"],
        WEIGHT: made.weight_gradients["lm_head.weight"],
    }
    return _Numbers(_formula(made), engine)


def _formula(made: GradientStep) -> dict[str, NDArray[Any]]:
    counts = made.targets != IGNORED_TARGET  # [B, T]
    targets = np.where(counts, made.targets, 0)[..., None]
    hidden, logits = (written(array) for array in (made.final_hidden, made.logits))
    logits = logits - logits.max(axis=-1, keepdims=True)
    exponentials = np.exp(logits)
    shares = exponentials / exponentials.sum(axis=-1, keepdims=True)
    chance = np.take_along_axis(shares, targets, axis=-1)[..., 0]
    hits = np.zeros_like(shares)
    np.put_along_axis(hits, targets, 1.0, axis=-1)
    losses = np.where(counts, -np.log(chance), 0.0)
    gradient = np.where(counts[..., None], (shares - hits) / made.counted, 0.0)
    terms = np.abs(gradient)
    return {
        LOSS: np.array(losses.sum() / made.counted),
        LOSSES: losses,
        LOGITS: gradient,
        PROBABILITIES: shares,
        FINAL_HIDDEN: hidden,
        BIAS: settled(gradient.sum(axis=(0, 1)), terms.sum(axis=(0, 1))),
        WEIGHT: settled(
            np.einsum("btv,btc->vc", gradient, hidden),
            np.einsum("btv,btc->vc", terms, np.abs(hidden)),
        ),
    }


_Recipe = Callable[["GradientStep", _Numbers, tuple[int, ...]], list[Equation]]


def _loss(made: GradientStep, numbers: _Numbers, _: tuple[int, ...]) -> list[Equation]:
    """The mean over the counted positions."""
    places = _counted(made)
    each = [line for place in places for line in _losses(made, numbers, place)]
    total = Sum(tuple(numbers.operand(LOSSES, *place) for place in places))
    count = Constant(str(len(places)), len(places))
    return [*each, numbers.equation("loss", LOSS, (), Quotient(total, count))]


def _losses(made: GradientStep, numbers: _Numbers, cell: tuple[int, ...]) -> list[Equation]:
    """ln(1 / p) of the target's probability."""
    target = int(made.targets[cell])
    if target == IGNORED_TARGET:
        node: Any = Constant("0", 0.0)
    else:
        chance = numbers.operand(PROBABILITIES, *cell, target)
        node = Call("ln", (Quotient(Constant("1", 1.0), chance),))
    return [numbers.equation("losses", LOSSES, cell, node)]


def _logits(made: GradientStep, numbers: _Numbers, cell: tuple[int, ...]) -> list[Equation]:
    """(p - y) / N, y being 1 for the target and 0 for every other word."""
    target = int(made.targets[cell[:-1]])
    if target == IGNORED_TARGET:
        return [numbers.equation("logits", LOGITS, cell, Constant("0", 0.0))]
    hit = Constant("1", 1.0) if target == cell[-1] else Constant("0", 0.0)
    difference = Difference(numbers.operand(PROBABILITIES, *cell), hit)
    count = Constant(str(made.counted), made.counted)
    return [numbers.equation("logits", LOGITS, cell, Quotient(difference, count))]


def _bias(made: GradientStep, numbers: _Numbers, cell: tuple[int, ...]) -> list[Equation]:
    """The bias is added at every position, so its gradient is the sum over the counted ones."""
    terms = tuple(numbers.operand(LOGITS, *place, *cell) for place in _counted(made))
    return [numbers.equation("lm_head.bias", BIAS, cell, Sum(terms))]


def _weight(made: GradientStep, numbers: _Numbers, cell: tuple[int, ...]) -> list[Equation]:
    """weight[v, c] multiplies final_hidden[c] at every position."""
    word, channel = cell
    terms = tuple(
        Product(
            (
                numbers.operand(LOGITS, *place, word),
                numbers.operand(FINAL_HIDDEN, *place, channel),
            )
        )
        for place in _counted(made)
    )
    return [numbers.equation("lm_head.weight", WEIGHT, cell, Sum(terms))]


_RECIPES: dict[str, _Recipe] = {
    LOSS: _loss,
    LOSSES: _losses,
    LOGITS: _logits,
    BIAS: _bias,
    WEIGHT: _weight,
}


def _counted(made: GradientStep) -> list[tuple[int, ...]]:
    """The (b, t) of every target that counts."""
    return [tuple(place) for place in np.argwhere(made.targets != IGNORED_TARGET).tolist()]
