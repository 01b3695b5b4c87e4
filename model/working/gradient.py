"""Workings of one training step: the loss, d loss / d logits, and one link of the chain rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from model.config import IGNORED_TARGET
from model.errors import InputError
from model.working.card import Card, card
from model.working.expression import (
    Call,
    Constant,
    Difference,
    Operand,
    Product,
    Quotient,
    Ref,
    Sum,
)
from model.working.source import check_cell
from model.working.steps import Step

if TYPE_CHECKING:
    from model.gradients import GradientStep

LOSS, LOSSES, LOGITS = "gradients.loss", "gradients.losses", "gradients.logits"
PROBABILITIES, FINAL_HIDDEN = "gradients.probabilities", "gradients.final_hidden"
BIAS, WEIGHT = "gradients.lm_head.bias", "gradients.lm_head.weight"
"""Cells: () · (b, t) · (b, t, v) · (b, t, v) · (b, t, c) · (v,) · (v, c)."""


def gradient_working(made: GradientStep, key: str, cell: tuple[int, ...]) -> Card:
    """The working of one number of a training step.

    Raises:
        InputError: there is no such number, or nothing to work out in it.
    """
    if key not in _RECIPES:
        raise InputError("working_key", key=key[:60])
    arrays = _arrays(made)
    check_cell(key, cell, arrays[key].shape)
    return card(_RECIPES[key](made, arrays, cell))


def _arrays(made: GradientStep) -> dict[str, NDArray[Any]]:
    return {
        LOSS: np.array(made.loss),
        LOSSES: made.losses,
        LOGITS: made.logits_gradient,
        PROBABILITIES: made.probabilities,
        FINAL_HIDDEN: made.final_hidden,
        BIAS: made.weight_gradients["lm_head.bias"],
        WEIGHT: made.weight_gradients["lm_head.weight"],
    }


_Recipe = Callable[["GradientStep", dict[str, NDArray[Any]], tuple[int, ...]], list[Step]]


def _loss(made: GradientStep, arrays: dict[str, NDArray[Any]], _: tuple[int, ...]) -> list[Step]:
    """The mean over the counted positions."""
    places = _counted(made)
    each = [line for place in places for line in _losses(made, arrays, place)]
    total = Sum(tuple(_operand(arrays, LOSSES, *place) for place in places))
    count = Constant(str(len(places)), len(places))
    return [*each, Step("loss", Ref(LOSS, ()), Quotient(total, count), made.loss)]


def _losses(
    made: GradientStep, arrays: dict[str, NDArray[Any]], cell: tuple[int, ...]
) -> list[Step]:
    """ln(1 / p) of the target's probability."""
    target = int(made.targets[cell])
    if target == IGNORED_TARGET:
        node: Any = Constant("0", 0.0)
    else:
        chance = _operand(arrays, PROBABILITIES, *cell, target)
        node = Call("ln", (Quotient(Constant("1", 1.0), chance),))
    return [Step("losses", Ref(LOSSES, cell), node, float(made.losses[cell]))]


def _logits(
    made: GradientStep, arrays: dict[str, NDArray[Any]], cell: tuple[int, ...]
) -> list[Step]:
    """(p - y) / N, y being 1 for the target and 0 for every other word."""
    target = int(made.targets[cell[:-1]])
    value = float(made.logits_gradient[cell])
    if target == IGNORED_TARGET:
        return [Step("logits", Ref(LOGITS, cell), Constant("0", 0.0), value)]
    hit = Constant("1", 1.0) if target == cell[-1] else Constant("0", 0.0)
    difference = Difference(_operand(arrays, PROBABILITIES, *cell), hit)
    count = Constant(str(made.counted), made.counted)
    return [Step("logits", Ref(LOGITS, cell), Quotient(difference, count), value)]


def _bias(made: GradientStep, arrays: dict[str, NDArray[Any]], cell: tuple[int, ...]) -> list[Step]:
    """The bias is added at every position, so its gradient is the sum over all."""
    terms = tuple(_operand(arrays, LOGITS, *place, *cell) for place in _counted(made))
    return [Step("lm_head.bias", Ref(BIAS, cell), Sum(terms), float(arrays[BIAS][cell]))]


def _weight(
    made: GradientStep, arrays: dict[str, NDArray[Any]], cell: tuple[int, ...]
) -> list[Step]:
    """weight[v, c] multiplies final_hidden[c] at every position."""
    word, channel = cell
    terms = tuple(
        Product(
            (
                _operand(arrays, LOGITS, *place, word),
                _operand(arrays, FINAL_HIDDEN, *place, channel),
            )
        )
        for place in _counted(made)
    )
    return [Step("lm_head.weight", Ref(WEIGHT, cell), Sum(terms), float(arrays[WEIGHT][cell]))]


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


def _operand(arrays: dict[str, NDArray[Any]], key: str, *cell: int) -> Operand:
    return Operand(float(arrays[key][cell]), Ref(key, cell))
