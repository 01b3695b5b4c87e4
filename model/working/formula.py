"""The network's formula worked out in float64, from the weights as they are written.

An engine computes in float32, and what its rounding leaves of 0.3 − 0.3 is no number of the
formula. A working shows the formula's numbers: here they are, those between two trace values
too, free of what float64 itself leaves (`settled`).
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

_WRITTEN = 6  # decimals of a weight that a person sets
_FIGURES = 14  # of the 15 to 16 that a float64 has
_MOST_PLACES = 250  # of a power of ten that a float64 holds with room to spare
_LARGEST_EXPONENT = 16.0  # exp of more takes eight figures before the point, ln(10^7) = 16.1


def written(values: NDArray[Any]) -> NDArray[Any]:
    """float32 `values` as the decimals a person reads: 0.2 and not 0.20000000298.

    A number of at most six decimals is taken as that; any other as what the float32 holds.
    """
    if values.dtype != np.float32:
        return values
    full = values.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        short = np.round(full, _WRITTEN)
        return np.where(short.astype(np.float32) == values, short, full)


def settled(values: NDArray[Any], scale: NDArray[Any] | float) -> Floats:
    """`values` without float64's own rounding: 14 figures, counted from the largest term.

    scale: the size of what was added up to each value; 0.1 + 0.2 gives 0.3, and 1.2 − 1.2 that
    left 2e-16 gives 0.
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
    """What becomes of a value before it is used: settled, and no more unless `keep` says so."""

    def __init__(self, keep: int | None = None) -> None:
        self.keep = keep

    def settled(self, values: NDArray[Any], scale: NDArray[Any] | float) -> Floats:
        """The module's `settled`, to `keep` decimals."""
        found = settled(values, scale)
        return found if self.keep is None else np.round(found, self.keep)

    def own(self, values: NDArray[Any]) -> Floats:
        """`settled` by each value's own size: of a product, a quotient, a function."""
        return self.settled(values, np.abs(values))


_FULL = Rounding()


def is_shifted(scores: NDArray[Any]) -> bool:
    """Whether a table's exponentials are written relative to the largest of each row.

    One way for the whole table: as soon as one row's largest exponential, or what its row adds
    up to, would need a power of ten.
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
        """The gate called `name` in the block of a value; a block's has the same prefix."""
        return self.gates[name if at.block is None else block_key(at.block, name)]

    def linear(self, at: Placed) -> Floats:
        """A linear layer: what is read times each row of the weight, plus the bias if any."""
        (inputs,) = self.read(at)
        weight, *biases = (self.weights[name] for name in at.weights)
        return self.product(inputs, weight.T, *biases)

    def product(self, left: Floats, right: Floats, shift: Floats | float = 0.0) -> Floats:
        """A matrix product, of each head where there are heads, plus `shift`."""
        scale = np.abs(left) @ np.abs(right) + np.abs(shift)
        return self.rounding.settled(left @ right + shift, scale)

    def added(self, left: Floats, right: Floats) -> Floats:
        """The sum of two values, cell by cell."""
        return self.rounding.settled(left + right, np.abs(left) + np.abs(right))
