"""With how many decimals on the way a person with a pencil reaches what is judged right."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.working.numbers import DECIMALS
from model.working.recipes import formula_values
from model.working.source import Source

_MOST = 12
_REACHED = 4e-6
"""Less than half of the 1e-5 that counts as right beyond a rounding: what is rounded within a cell
(each product, each sum) adds to what is rounded from cell to cell."""


def decimals_to_keep(source: Source) -> int:
    """The fewest decimals, at least 4: every value rounded to them before it is used, all are
    still right to four decimals."""
    for decimals in range(DECIMALS, _MOST):
        if _farthest(source, decimals) <= _REACHED:
            return decimals
    return _MOST


def _farthest(source: Source, decimals: int) -> float:
    """How far the values get from the formula's when all are rounded on the way."""
    weights = {name: np.round(values, decimals) for name, values in source.weights.items()}
    found = formula_values(weights, source.config, source.token_ids, source.gates, decimals)
    return max(_distance(found[key], values) for key, values in source.formula.items())


def _distance(one: NDArray[Any], other: NDArray[Any]) -> float:
    differs = one != other  # minus infinity is itself
    return float(np.abs(one[differs] - other[differs]).max(initial=0.0))
