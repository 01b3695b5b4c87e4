"""Workings of LayerNorm (Ba et al. 2016): mean, deviations, variance, std, gain and shift."""

from __future__ import annotations

import numpy as np

from model.config import LAYER_NORM_EPS, MiniGPTConfig
from model.switches import ALL_ON
from model.values import Placed, placed_values, traced_reads
from model.working.equations import Equation, Note, equation
from model.working.expression import (
    Call,
    Constant,
    Difference,
    Node,
    Product,
    Quotient,
    Square,
    Sum,
)
from model.working.formula import Floats, Pass
from model.working.recipe import Recipe
from model.working.source import Source

_EPS = Constant(f"{LAYER_NORM_EPS:.5f}", LAYER_NORM_EPS)

LESSON_ROW = (1.0, 2.0, 3.0, 4.0)
"""The row on which the lesson shows LayerNorm by hand."""


def layer_norm(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """Every step from the row to one normalised, scaled and shifted channel."""
    position, channel = cell
    switch = key.replace("final_hidden", "final_norm")
    if source.is_off(switch):
        read = source.operand(source.reads(f"{key}.mean")[0], *cell)
        return [equation(source, key, cell, read, Note("norm_off"))]
    node: Node = Sum(
        (
            Product(
                (
                    source.operand(f"{switch}.weight", channel),
                    source.operand(f"{key}.normalized", *cell),
                )
            ),
            source.operand(f"{switch}.bias", channel),
        )
    )
    return [
        *mean(source, f"{key}.mean", (position,)),
        *deviations(source, key, position, channel),
        *variance(source, f"{key}.variance", (position,)),
        *std(source, f"{key}.std", (position,)),
        *normalized(source, f"{key}.normalized", cell),
        equation(source, key, cell, node),
    ]


_MOST_DEVIATIONS = 4  # of a longer row only the requested channel's is shown


def deviations(source: Source, owner: str, position: int, channel: int) -> list[Equation]:
    """The deviation of every channel of a short row, of `channel` alone of a long one."""
    channels = source.config.model_dim
    shown = range(channels) if channels <= _MOST_DEVIATIONS else (channel,)
    return [
        line for each in shown for line in deviation(source, f"{owner}.deviation", (position, each))
    ]


def mean(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The row's sum divided by its length."""
    (read,) = source.reads(key)
    channels = source.config.model_dim
    row = tuple(source.operand(read, *cell, channel) for channel in range(channels))
    return [equation(source, key, cell, Quotient(Sum(row), _count(channels)))]


def deviation(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """One channel minus the mean."""
    read, mean_key = source.reads(key)
    node = Difference(source.operand(read, *cell), source.operand(mean_key, cell[0]))
    return [equation(source, key, cell, node)]


def variance(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The mean of the squared deviations: divided by C, not by C - 1."""
    owner = key.rpartition(".")[0]
    channels = source.config.model_dim
    squares = tuple(
        Square(source.operand(f"{owner}.deviation", *cell, channel)) for channel in range(channels)
    )
    return [equation(source, key, cell, Quotient(Sum(squares), _count(channels)))]


def std(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The root of variance plus eps, which keeps it above 0."""
    read = source.operand(f"{key.rpartition('.')[0]}.variance", *cell)
    return [equation(source, key, cell, Call("√", (Sum((read, _EPS)),)))]


def normalized(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The deviation divided by the standard deviation."""
    owner = key.rpartition(".")[0]
    above = source.operand(f"{owner}.deviation", *cell)
    return [equation(source, key, cell, Quotient(above, source.operand(f"{owner}.std", cell[0])))]


def lesson_source() -> Source:
    """A source with only the row 1, 2, 3, 4 as the input of the first LayerNorm."""
    config = MiniGPTConfig(1, 1, len(LESSON_ROW), 1, 1)
    lesson = Pass({}, config, (0,), {})
    lesson.values["residual_0"] = np.array([LESSON_ROW])
    places = placed_values(config.num_layers)
    for name, formula in _FORMULAS.items():
        key = f"blocks.0.ln1.{name}"
        lesson.values[key] = formula(lesson, places[key])
    return Source({}, {}, config, (0,), ALL_ON, lambda *_: lesson.values)


def lesson_equations() -> list[Equation]:
    """LayerNorm of 1, 2, 3, 4 by hand, as in the lesson: every channel, gain 1, shift 0."""
    source = lesson_source()
    channels = source.config.model_dim
    owner = "blocks.0.ln1"
    return [
        *mean(source, f"{owner}.mean", (0,)),
        *deviations(source, owner, 0, 0),
        *variance(source, f"{owner}.variance", (0,)),
        *std(source, f"{owner}.std", (0,)),
        *(
            line
            for channel in range(channels)
            for line in normalized(source, f"{owner}.normalized", (0, channel))
        ),
    ]


def _count(channels: int) -> Constant:
    return Constant(str(channels), channels)


def _mean(a_pass: Pass, at: Placed) -> Floats:
    (row,) = a_pass.read(at)
    return a_pass.rounding.settled(row.mean(axis=-1), np.abs(row).max(axis=-1))


def _deviation(a_pass: Pass, at: Placed) -> Floats:
    row, means = a_pass.read(at)
    return a_pass.rounding.settled(row - means[:, None], np.abs(row) + np.abs(means)[:, None])


def _variance(a_pass: Pass, at: Placed) -> Floats:
    (away,) = a_pass.read(at)
    return a_pass.rounding.own(np.square(away).sum(axis=-1) / away.shape[-1])


def _std(a_pass: Pass, at: Placed) -> Floats:
    (variances,) = a_pass.read(at)
    return a_pass.rounding.own(np.sqrt(variances + LAYER_NORM_EPS))


def _normalized(a_pass: Pass, at: Placed) -> Floats:
    away, stds = a_pass.read(at)
    return a_pass.rounding.own(away / stds[:, None])


def _gained(a_pass: Pass, at: Placed) -> Floats:
    """Gain and shift applied; the input itself if the norm is off."""
    gain, shift = at.weights
    if a_pass.gates[gain.replace(".weight", ".gate")] == 0:
        row = traced_reads(at.key, a_pass.config.num_layers)[0]
        return a_pass.values[row]
    return a_pass.added(a_pass.weights[gain] * a_pass.read(at)[0], a_pass.weights[shift])


_FORMULAS = {
    "mean": _mean,
    "deviation": _deviation,
    "variance": _variance,
    "std": _std,
    "normalized": _normalized,
}
_STEPS = {
    "mean": mean,
    "deviation": deviation,
    "variance": variance,
    "std": std,
    "normalized": normalized,
}
RECIPES = {
    **{name: Recipe(formula, _STEPS[name]) for name, formula in _FORMULAS.items()},
    **{name: Recipe(_gained, layer_norm) for name in ("ln1", "ln2", "final_hidden")},
}
