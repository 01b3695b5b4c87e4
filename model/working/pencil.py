"""How many decimals to keep in a calculation by hand, so that its results are judged right."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.working.numbers import DECIMALS
from model.working.recipes import formula_values
from model.working.source import Source

_MOST = 12
_REACHED = 4e-6
"""Less than half of the 1e-5 that judging allows beyond half a unit: rounding within a cell (each
product, each sum) adds to the rounding from cell to cell."""


def decimals_to_keep(source: Source) -> int:
    """The fewest decimals, at least 4, such that all values are right to four decimals if every
    value is rounded to them before it is used."""
    for decimals in range(DECIMALS, _MOST):
        if _farthest(source, decimals) <= _REACHED:
            return decimals
    return _MOST


def _farthest(source: Source, decimals: int) -> float:
    """The largest distance to the formula's values if every value is rounded before it is used."""
    weights = {name: np.round(values, decimals) for name, values in source.weights.items()}
    found = formula_values(weights, source.config, source.token_ids, source.gates, decimals)
    return max(_distance(found[key], values) for key, values in source.formula.items())


def _distance(one: NDArray[Any], other: NDArray[Any]) -> float:
    differs = one != other  # leaves out minus infinity on both sides
    return float(np.abs(one[differs] - other[differs]).max(initial=0.0))
