"""Where the numbers of a working come from: the trace, the weights, the gates, derived values.

Derived values are the stops between two trace values, in float64 from the engine's float32:
`blocks.0.ln1.mean`, `blocks.0.scores.products`, …; a derived key is a trace key, a dot and
a name.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import LAYER_NORM_EPS, MiniGPTConfig
from model.errors import InputError
from model.switches import ALL_ON, Switches, gate_arrays
from model.trace import block_key
from model.working.expression import Operand, Ref

Array = NDArray[Any]

CHOICE = "next_id"
LAYER_NORM_STEPS = ("mean", "deviation", "variance", "std", "normalized")
_LARGEST_PLAIN_EXPONENT = 10.0  # exp of more than this is written relative to the largest


class Source:
    """One prompt's numbers by reference.

    trace: every trace value of one prompt, without the batch axis; weights: by state_dict
    name, the edited ones where there are edits; switches: what is off.
    """

    def __init__(
        self,
        trace: Mapping[str, Array],
        weights: Mapping[str, Array],
        config: MiniGPTConfig,
        token_ids: tuple[int, ...],
        switches: Switches = ALL_ON,
    ) -> None:
        self.trace = trace
        self.weights = weights
        self.config = config
        self.token_ids = token_ids
        self.gates = gate_arrays(switches, config, len(token_ids))
        self._derived: dict[str, Array] = {}

    @property
    def sequence(self) -> int:
        """How many words the model saw (T)."""
        return len(self.token_ids)

    def array(self, key: str) -> Array:
        """The values under `key`: of the trace, a weight, a gate, or derived.

        Raises:
            InputError: there is nothing of that name.
        """
        for place in (self.trace, self.weights, self.gates):
            if key in place:
                return place[key]
        if key not in self._derived:
            self._derived[key] = self._derive(key)
        return self._derived[key]

    def operand(self, key: str, *cell: int) -> Operand:
        """The number in one cell, with where it came from.

        Raises:
            InputError: no such cell.
        """
        array = self.array(key)
        check_cell(key, cell, array.shape)
        number = array[cell]
        return Operand(float(number), Ref(key, cell), single=number.dtype == np.float32)

    def value(self, ref: Ref) -> float:
        """The number `ref` points at."""
        return self.operand(ref.key, *ref.cell).value

    def gate(self, key: str, *cell: int) -> Operand | None:
        """The gate's number where it changes anything, None where it is 1."""
        operand = self.operand(key, *cell)
        return None if operand.value == 1 else operand

    def is_off(self, switch: str) -> bool:
        """Whether a gate that chooses (a LayerNorm's) is closed."""
        return bool(self.gates[f"{switch}.gate"] == 0)

    def kind(self, key: str) -> str:
        """`trace`, `weight`, `gate` or `derived`."""
        for kind, place in (("trace", self.trace), ("weight", self.weights), ("gate", self.gates)):
            if key in place:
                return kind
        return "derived"

    def is_shifted(self, owner: str, *row: int) -> bool:
        """Whether this row's exponentials are written relative to its largest score."""
        largest = float(np.max(self.array(softmax_input(owner))[row]))
        return abs(largest) > _LARGEST_PLAIN_EXPONENT

    def _derive(self, key: str) -> Array:
        owner, _, name = key.rpartition(".")
        derive = _DERIVED.get(name)
        if key == CHOICE:
            return np.asarray(np.argmax(self.array("vocabulary_probs"), axis=-1))
        if derive is None or key not in derived_keys(self.config):
            raise InputError("working_key", key=key[:60])
        return derive(self, owner)


def check_cell(key: str, cell: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Raise InputError unless `cell` is inside `shape`."""
    inside = len(cell) == len(shape) and all(
        isinstance(index, (int, np.integer)) and 0 <= index < size
        for index, size in zip(cell, shape, strict=True)
    )
    if not inside:
        raise InputError("working_cell", key=key[:60], cell=list(cell), shape=list(shape))


def layer_norm_input(owner: str, config: MiniGPTConfig) -> str:
    """The trace key that the LayerNorm under `owner` (`blocks.0.ln1`, …) reads."""
    if owner == "final_hidden":
        return residual_before(config.num_layers)
    _, index, name = owner.split(".")
    if name == "ln1":
        return residual_before(int(index))
    return block_key(int(index), "residual_after_attention")


def residual_before(index: int) -> str:
    """The residual stream as block `index` meets it (after the last block: its end)."""
    return "residual_0" if index == 0 else block_key(index - 1, "residual_after_ffn")


def softmax_input(owner: str) -> str:
    """The trace key whose rows the softmax under `owner` reads."""
    if owner == "vocabulary_probs":
        return "logits"
    return owner.replace("attention_probs", "masked_scores")


@functools.cache
def derived_keys(config: MiniGPTConfig) -> dict[str, tuple[str, ...]]:
    """Every derived value and its axes, in the order of the computation."""
    keys: dict[str, tuple[str, ...]] = {}
    for index in range(config.num_layers):
        keys |= _layer_norm_keys(block_key(index, "ln1"))
        keys[block_key(index, "scores.products")] = ("H", "T", "T")
        keys[block_key(index, "masked_scores.mask")] = ("T", "T")
        keys[block_key(index, "attention_probs.exponentials")] = ("H", "T", "T")
        keys[block_key(index, "attention_probs.sum")] = ("H", "T")
        keys |= _layer_norm_keys(block_key(index, "ln2"))
        keys[block_key(index, "ffn_activation.phi")] = ("T", "F")
    keys |= _layer_norm_keys("final_hidden")
    keys["vocabulary_probs.exponentials"] = ("T", "V")
    keys["vocabulary_probs.sum"] = ("T",)
    keys[CHOICE] = ("T",)
    return keys


def _layer_norm_keys(owner: str) -> dict[str, tuple[str, ...]]:
    per_row = {"mean", "variance", "std"}
    return {
        f"{owner}.{name}": ("T",) if name in per_row else ("T", "C") for name in LAYER_NORM_STEPS
    }


def _read(source: Source, key: str) -> NDArray[np.float64]:
    return np.asarray(source.array(key), dtype=np.float64)


def _mean(source: Source, owner: str) -> Array:
    return np.asarray(_read(source, layer_norm_input(owner, source.config)).mean(axis=-1))


def _deviation(source: Source, owner: str) -> Array:
    values = _read(source, layer_norm_input(owner, source.config))
    return values - source.array(f"{owner}.mean")[:, None]


def _variance(source: Source, owner: str) -> Array:
    return np.asarray(np.square(source.array(f"{owner}.deviation")).mean(axis=-1))


def _std(source: Source, owner: str) -> Array:
    return np.sqrt(source.array(f"{owner}.variance") + LAYER_NORM_EPS)


def _normalized(source: Source, owner: str) -> Array:
    return np.asarray(source.array(f"{owner}.deviation") / source.array(f"{owner}.std")[:, None])


def _products(source: Source, owner: str) -> Array:
    block = owner.rpartition(".")[0]
    query, key = _read(source, f"{block}.query"), _read(source, f"{block}.key")
    return query @ key.transpose(0, 2, 1)


def _mask(source: Source, owner: str) -> Array:
    return source.gates["causal_mask"]


def _exponentials(source: Source, owner: str) -> Array:
    scores = _read(source, softmax_input(owner))
    shifted = np.array(
        [source.is_shifted(owner, *row) for row in np.ndindex(*scores.shape[:-1])]
    ).reshape(scores.shape[:-1])
    largest = np.where(shifted, scores.max(axis=-1), 0.0)
    return np.exp(scores - largest[..., None])


def _sum(source: Source, owner: str) -> Array:
    return np.asarray(source.array(f"{owner}.exponentials").sum(axis=-1))


def _phi(source: Source, owner: str) -> Array:
    hidden = _read(source, owner.replace("ffn_activation", "ffn_hidden"))
    below = [0.5 * (1 + math.erf(value / math.sqrt(2))) for value in hidden.flat]
    return np.array(below).reshape(hidden.shape)


_DERIVED: dict[str, Callable[[Source, str], Array]] = {
    "mean": _mean,
    "deviation": _deviation,
    "variance": _variance,
    "std": _std,
    "normalized": _normalized,
    "products": _products,
    "mask": _mask,
    "exponentials": _exponentials,
    "sum": _sum,
    "phi": _phi,
}
