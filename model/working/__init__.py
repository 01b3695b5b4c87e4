"""Show the working: the arithmetic behind any number of the network, with its actual operands.

`working` gives the lines for one cell of one value: a trace value, an intermediate value
(`model.working.source.derived_keys`) or a weight. Enough digits are shown that a line, computed
by hand, gives the result it states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.switches import ALL_ON, Switches
from model.values import CHOICE
from model.working.card import Card, as_dict, card
from model.working.layer_norm import lesson_equations
from model.working.recipes import equations_of, source_of_numbers
from model.working.source import Source, derived_keys

__all__ = [
    "CHOICE",
    "Card",
    "Source",
    "as_dict",
    "card",
    "derived_keys",
    "equations_of",
    "layer_norm_card",
    "source_of_numbers",
    "working",
]

_LAYER_NORM_DECIMALS = 3  # the lesson's, on this one card


def working(
    trace: Mapping[str, NDArray[Any]],
    weights: Mapping[str, NDArray[Any]],
    config: MiniGPTConfig,
    token_ids: Sequence[int],
    key: str,
    cell: Sequence[int],
    switches: Switches = ALL_ON,
    fold: bool = True,
) -> Card:
    """The working of one cell.

    trace: the values of one prompt without the batch axis, from any engine; weights: by
    state_dict name; token_ids: the window the model saw; key: a trace key, a derived key or
    a weight's name; fold: count the zero terms of long sums
        instead of showing them, and fold most terms of very long ones into their subtotal.

    Raises:
        InputError: there is no such value or cell.
    """
    source = source_of_numbers(trace, weights, config, tuple(token_ids), switches)
    return card(equations_of(source, key, tuple(cell)), fold=fold)


def layer_norm_card() -> Card:
    """LayerNorm of 1, 2, 3, 4 as in the lesson's hand calculation, with three decimals."""
    return card(lesson_equations(), decimals=_LAYER_NORM_DECIMALS)
