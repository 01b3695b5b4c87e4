"""Where the numbers of a working come from: the formula, the weights, the gates.

The formula's numbers are computed in float64 (`model.working.formula`); the engine's own, in
float32, are kept with them. Derived values are intermediate values that no engine outputs:
`blocks.0.ln1.mean`, `blocks.0.scores.products`, …; a derived key is a trace key, a dot and a
name.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.errors import InputError
from model.switches import Switches, gate_arrays
from model.values import CHOICE, placed_values
from model.working.expression import Operand, Ref
from model.working.formula import is_shifted, written

Array = NDArray[Any]
Arrays = Mapping[str, Array]
Formula = Callable[[Arrays, MiniGPTConfig, tuple[int, ...], Arrays], Arrays]


class Source:
    """One prompt's numbers by key and cell.

    trace: every trace value of one prompt as an engine computed it, without the batch axis;
    weights: by state_dict name, the edited ones where there are edits; switches: what is off;
    formula: computes the formula's values from weights, sizes, ids and gates, on first use.
    """

    def __init__(
        self,
        trace: Mapping[str, Array],
        weights: Mapping[str, Array],
        config: MiniGPTConfig,
        token_ids: tuple[int, ...],
        switches: Switches,
        formula: Formula,
    ) -> None:
        self.trace = trace
        self.weights = {name: written(array) for name, array in weights.items()}
        self.config = config
        self.token_ids = token_ids
        self.gates = gate_arrays(switches, config, len(token_ids))
        self._formula = formula

    @property
    def sequence(self) -> int:
        """How many words the model saw (T)."""
        return len(self.token_ids)

    @functools.cached_property
    def formula(self) -> Mapping[str, Array]:
        """The formula's trace values and derived values."""
        return self._formula(self.weights, self.config, self.token_ids, self.gates)

    def array(self, key: str) -> Array:
        """The values under `key`: of the formula, a weight, or a gate; the next word is the
        engine's choice.

        Raises:
            InputError: there is no such key.
        """
        for place in (self.weights, self.gates):
            if key in place:
                return place[key]
        if key == CHOICE:
            return np.asarray(np.argmax(self.trace["vocabulary_probs"], axis=-1))
        if key not in self.formula:
            raise InputError("working_key", key=key[:60])
        return self.formula[key]

    def operand(self, key: str, *cell: int) -> Operand:
        """The number in one cell, with its reference and the engine's value.

        Raises:
            InputError: no such cell.
        """
        array = self.array(key)
        check_cell(key, cell, array.shape)
        engine = float(self.trace[key][cell]) if key in self.trace else None
        return Operand(float(array[cell]), Ref(key, cell), engine)

    def gate(self, key: str, *cell: int) -> Operand | None:
        """The gate's number if it changes anything, None if it is 1."""
        operand = self.operand(key, *cell)
        return None if operand.value == 1 else operand

    def is_off(self, switch: str) -> bool:
        """Whether the gate that bypasses a LayerNorm is closed."""
        return bool(self.gates[f"{switch}.gate"] == 0)

    def kind(self, key: str) -> str:
        """`trace`, `weight`, `gate` or `derived`."""
        for kind, place in (("trace", self.trace), ("weight", self.weights), ("gate", self.gates)):
            if key in place:
                return kind
        return "derived"

    def is_shifted(self, owner: str) -> bool:
        """Whether the exponentials of this softmax are relative to each row's largest score."""
        return is_shifted(self.array(self.reads(f"{owner}.exponentials")[0]))

    def reads(self, key: str) -> tuple[str, ...]:
        """The keys of the values that the value under `key` is computed from."""
        return placed_values(self.config.num_layers)[key].reads


def check_cell(key: str, cell: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Raise InputError unless `cell` is inside `shape`."""
    inside = len(cell) == len(shape) and all(
        isinstance(index, (int, np.integer)) and 0 <= index < size
        for index, size in zip(cell, shape, strict=True)
    )
    if not inside:
        raise InputError("working_cell", key=key[:60], cell=list(cell), shape=list(shape))


@functools.cache
def derived_keys(config: MiniGPTConfig) -> dict[str, tuple[str, ...]]:
    """Every derived value and its axes, in the order of the computation."""
    return {
        key: placed.value.axes
        for key, placed in placed_values(config.num_layers).items()
        if not placed.value.is_traced
    }
