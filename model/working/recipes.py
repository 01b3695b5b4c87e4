"""Every value's recipe by name; all formula values, and the lines of any cell, from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.switches import ALL_ON, Switches
from model.values import placed_values
from model.working import attention, embedding, ffn, layer_norm, output, residual, softmax
from model.working.equations import Equation
from model.working.formula import Arrays, Floats, Pass, Rounding
from model.working.source import Source

RECIPES = {
    **embedding.RECIPES,
    **layer_norm.RECIPES,
    **attention.RECIPES,
    **softmax.RECIPES,
    **residual.RECIPES,
    **ffn.RECIPES,
    **output.RECIPES,
}
"""By the last part of a value's name."""


def formula_values(
    weights: Arrays,
    config: MiniGPTConfig,
    token_ids: tuple[int, ...],
    gates: Arrays,
    keep: int | None = None,
) -> dict[str, Floats]:
    """Every trace value and every intermediate value, without the batch axis.

    weights: by state_dict name; gates: as `model.switches.gate_arrays` gives them; keep: round
    every value to so many decimals before it is used, as in a calculation by hand.
    """
    done = Pass(weights, config, token_ids, gates, Rounding(keep))
    for key, placed in placed_values(config.num_layers).items():
        formula = RECIPES[key.rpartition(".")[2]].formula
        if formula is not None:
            done.values[key] = formula(done, placed)
    return done.values


def source_of_numbers(
    trace: Mapping[str, NDArray[Any]],
    weights: Mapping[str, NDArray[Any]],
    config: MiniGPTConfig,
    token_ids: tuple[int, ...],
    switches: Switches = ALL_ON,
) -> Source:
    """The `Source` of one prompt: the engine's numbers and the formula's."""
    return Source(trace, weights, config, token_ids, switches, formula_values)


def equations_of(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The lines that lead to one cell, the cell's own last.

    Raises:
        InputError: there is no such value or cell.
    """
    source.operand(key, *cell)  # raises if there is none
    if source.kind(key) in ("weight", "gate"):
        return embedding.parameter(source, key, cell)
    return RECIPES[key.rpartition(".")[2]].equations(source, key, cell)
