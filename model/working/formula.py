"""The network's formula in float64, from the weights as written in decimals.

An engine computes in float32, and its rounding error (say, in 0.3 − 0.3) is not part of the
formula. A working shows the formula's numbers. They are computed here, intermediate values
included, and float64's own rounding error is removed (`settled`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.values import Placed, block_key

Floats = NDArray[np.float64]
Arrays = Mapping[str, NDArray[Any]]

_WRITTEN = 6  # decimals of a weight set by hand
_FIGURES = 14  # of a float64's 15 to 16 significant figures
_MOST_PLACES = 250  # limit of a power of ten, well within float64's range
_LARGEST_EXPONENT = 16.0  # exp of more has eight digits before the point, ln(10^7) = 16.1


def written(values: NDArray[Any]) -> NDArray[Any]:
    """float32 `values` as the decimals they were written as: 0.2 and not 0.20000000298.

    A float32 that is the nearest to a number of at most six decimals becomes that number; any
    other keeps its value.
    """
    if values.dtype != np.float32:
        return values
    full = values.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        short = np.round(full, _WRITTEN)
        return np.where(short.astype(np.float32) == values, short, full)


def settled(values: NDArray[Any], scale: NDArray[Any] | float) -> Floats:
    """`values` without float64's rounding error: 14 figures, counted from the terms' magnitude.

    scale: the magnitude of the terms summed to each value; 0.1 + 0.2 gives 0.3, and a 1.2 − 1.2
    that left 2e-16 gives 0.
    """
    numbers, sizes = np.broadcast_arrays(np.asarray(values, dtype=np.float64), scale)
    counted = np.isfinite(numbers) & np.isfinite(sizes) & (sizes > 0)
    magnitude = np.floor(np.log10(sizes, out=np.zeros(sizes.shape), where=counted))
    places = np.clip(_FIGURES - 1 - magnitude, -_MOST_PLACES, _MOST_PLACES)
    up, down = 10.0 ** np.maximum(places, 0), 10.0 ** np.maximum(-places, 0)
    finite = np.where(counted, numbers, 0.0)
    rounded = np.rint(finite * up / down) / up * down + 0.0
    return np.where(counted, rounded, numbers)


class Rounding:
    """The rounding of a value before it is used: `settled`, and to `keep` decimals if given."""

    def __init__(self, keep: int | None = None) -> None:
        self.keep = keep

    def settled(self, values: NDArray[Any], scale: NDArray[Any] | float) -> Floats:
        """The module's `settled`, rounded to `keep` decimals."""
        found = settled(values, scale)
        return found if self.keep is None else np.round(found, self.keep)

    def own(self, values: NDArray[Any]) -> Floats:
        """`settled` by each value's own magnitude: for products, quotients and functions."""
        return self.settled(values, np.abs(values))


_FULL = Rounding()


def is_shifted(scores: NDArray[Any]) -> bool:
    """Whether a table's exponentials are relative to the largest score of each row.

    The same for the whole table: as soon as one row's largest exponential, or its sum, would be
    written as a power of ten.
    """
    return bool(np.any(np.abs(scores.max(axis=-1)) > _LARGEST_EXPONENT))


class Pass:
    """One pass through the network; `values` fills up in the order of the computation.

    weights: by state_dict name; gates: as `model.switches.gate_arrays` gives them.
    """

    def __init__(
        self,
        weights: Arrays,
        config: MiniGPTConfig,
        token_ids: tuple[int, ...],
        gates: Arrays,
        rounding: Rounding = _FULL,
    ) -> None:
        self.weights = {name: np.asarray(array, np.float64) for name, array in weights.items()}
        self.config = config
        self.token_ids = token_ids
        self.gates = {name: np.asarray(array, np.float64) for name, array in gates.items()}
        self.rounding = rounding
        self.values: dict[str, Floats] = {}

    def read(self, at: Placed) -> tuple[Floats, ...]:
        """The values that a value is computed from, in the table's order."""
        return tuple(self.values[key] for key in (*at.reads, *at.looks_at))

    def gate(self, at: Placed, name: str) -> Floats:
        """The gate `name` of the block of a value, or of the network outside the blocks."""
        return self.gates[name if at.block is None else block_key(at.block, name)]

    def linear(self, at: Placed) -> Floats:
        """A linear layer: the input times each row of the weight, plus the bias if any."""
        (inputs,) = self.read(at)
        weight, *biases = (self.weights[name] for name in at.weights)
        return self.product(inputs, weight.T, *biases)

    def product(self, left: Floats, right: Floats, shift: Floats | float = 0.0) -> Floats:
        """A matrix product, per head where there are heads, plus `shift`."""
        scale = np.abs(left) @ np.abs(right) + np.abs(shift)
        return self.rounding.settled(left @ right + shift, scale)

    def added(self, left: Floats, right: Floats) -> Floats:
        """The elementwise sum of two values."""
        return self.rounding.settled(left + right, np.abs(left) + np.abs(right))
