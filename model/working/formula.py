"""The network's formula worked out in float64, from the weights as they are written.

An engine computes in float32, and what its rounding leaves of 0.3 − 0.3 is no number of the
formula. A working shows the formula's numbers: here they are, those between two trace values
too, free of what float64 itself leaves (`settled`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import LAYER_NORM_EPS, MiniGPTConfig
from model.trace import block_key

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


def formula_values(
    weights: Arrays,
    config: MiniGPTConfig,
    token_ids: tuple[int, ...],
    gates: Arrays,
    keep: int | None = None,
) -> dict[str, Floats]:
    """Every trace value and every value between two of them, without the batch axis.

    weights: by state_dict name; gates: as `model.switches.gate_arrays` gives them; keep: round
    every value to so many decimals before it is used, as one does with a pencil.
    """
    return _Pass(weights, config, gates, Rounding(keep)).run(token_ids)


def layer_norm_values(
    owner: str, row: NDArray[Any], rounding: Rounding = _FULL
) -> dict[str, Floats]:
    """The stops of a LayerNorm [T, C] before gain and shift, under `owner`."""
    numbers = np.asarray(row, dtype=np.float64)
    channels = numbers.shape[-1]
    mean = rounding.settled(numbers.mean(axis=-1), np.abs(numbers).max(axis=-1))
    deviation = rounding.settled(numbers - mean[:, None], np.abs(numbers) + np.abs(mean)[:, None])
    variance = rounding.own(np.square(deviation).sum(axis=-1) / channels)
    std = rounding.own(np.sqrt(variance + LAYER_NORM_EPS))
    return {
        f"{owner}.mean": mean,
        f"{owner}.deviation": deviation,
        f"{owner}.variance": variance,
        f"{owner}.std": std,
        f"{owner}.normalized": rounding.own(deviation / std[:, None]),
    }


def gelu_phi(hidden: NDArray[Any], rounding: Rounding = _FULL) -> Floats:
    """Φ of each value: the share of a standard normal distribution below it."""
    below = [0.5 * (1 + math.erf(value / math.sqrt(2))) for value in hidden.flat]
    return rounding.settled(np.array(below).reshape(hidden.shape), 1.0)


def is_shifted(scores: NDArray[Any]) -> bool:
    """Whether a table's exponentials are written relative to the largest of each row.

    One way for the whole table: as soon as one row's largest exponential, or what its row adds
    up to, would need a power of ten.
    """
    return bool(np.any(np.abs(scores.max(axis=-1)) > _LARGEST_EXPONENT))


class _Pass:
    """One pass through the network; `values` fills up in the order of the computation."""

    def __init__(
        self, weights: Arrays, config: MiniGPTConfig, gates: Arrays, rounding: Rounding
    ) -> None:
        self.weights = {name: np.asarray(array, np.float64) for name, array in weights.items()}
        self.config = config
        self.rounding = rounding
        self.gates = {name: np.asarray(array, np.float64) for name, array in gates.items()}
        self.values: dict[str, Floats] = {}

    def run(self, token_ids: tuple[int, ...]) -> dict[str, Floats]:
        tokens = self.weights["token_embedding.weight"][list(token_ids)]
        table = self.weights["position_embedding.weight"][: len(token_ids)]
        positions = self.rounding.own(table * self.gates["position_embedding.gate"])
        residual = self.added(tokens, positions)
        self.values |= {
            "token_embeddings": tokens,
            "position_embeddings": positions,
            "residual_0": residual,
        }
        for index in range(self.config.num_layers):
            residual = self.block(index, residual)
        end = self.norm("final_hidden", "final_norm", residual)
        logits = self.linear("lm_head.weight", end, "lm_head.bias")
        self.values |= {"logits": logits, **self.softmax("vocabulary_probs", logits)}
        return self.values

    def block(self, index: int, residual: Floats) -> Floats:
        """`residual_after_ffn` [T, C] of block `index`."""
        within = {name: block_key(index, name) for name in ("ln1", "ln2")}
        normed = self.norm(within["ln1"], within["ln1"], residual)
        update = self.attention(block_key(index, ""), normed)
        carried = residual * self.gates[block_key(index, "residual_attention.gate")]
        after = self.added(carried, update)
        self.values[block_key(index, "residual_after_attention")] = after
        update = self.ffn(block_key(index, ""), self.norm(within["ln2"], within["ln2"], after))
        end = self.added(after * self.gates[block_key(index, "residual_ffn.gate")], update)
        self.values[block_key(index, "residual_after_ffn")] = end
        return end

    def attention(self, block: str, normed: Floats) -> Floats:
        """`attention_update` [T, C]; block ends in a dot."""
        parts = np.split(self.linear(f"{block}attention.qkv.weight", normed), 3, axis=-1)
        query, key, value = map(self.in_heads, parts)
        products = self.product(query, key.transpose(0, 2, 1))
        scores = self.rounding.own(products / math.sqrt(self.config.head_size))
        masked = scores + self.gates["causal_mask"]
        shares = self.softmax(f"{block}attention_probs", masked)
        kept = shares[f"{block}attention_probs"] * self.gates[f"{block}attention_probs.dropout"]
        outputs = self.rounding.own(self.product(kept, value) * self.gates[f"{block}heads.gate"])
        joined = outputs.transpose(1, 0, 2).reshape(normed.shape)
        update = self.linear(f"{block}attention.output.weight", joined)
        update = self.rounding.own(update * self._update_gate(block, "attention"))
        self.values |= {
            f"{block}query": query,
            f"{block}key": key,
            f"{block}value": value,
            f"{block}scores.products": products,
            f"{block}scores": scores,
            f"{block}masked_scores.mask": self.gates["causal_mask"],
            f"{block}masked_scores": masked,
            **shares,
            f"{block}head_outputs": outputs,
            f"{block}heads_joined": joined,
            f"{block}attention_update": update,
        }
        return update

    def ffn(self, block: str, normed: Floats) -> Floats:
        """`ffn_update` [T, C]."""
        hidden = self.linear(f"{block}ffn.expand.weight", normed, f"{block}ffn.expand.bias")
        phi = gelu_phi(hidden, self.rounding)
        activation = self.rounding.own(hidden * phi)
        layer = f"{block}ffn.contract"
        update = self.linear(f"{layer}.weight", activation, f"{layer}.bias")
        update = self.rounding.own(update * self._update_gate(block, "ffn"))
        self.values |= {
            f"{block}ffn_hidden": hidden,
            f"{block}ffn_activation.phi": phi,
            f"{block}ffn_activation": activation,
            f"{block}ffn_update": update,
        }
        return update

    def norm(self, owner: str, switch: str, row: Floats) -> Floats:
        """The LayerNorm whose result is called `owner`; the row itself where it is off."""
        self.values |= layer_norm_values(owner, row, self.rounding)
        gained = self.weights[f"{switch}.weight"] * self.values[f"{owner}.normalized"]
        is_on = self.gates[f"{switch}.gate"] != 0
        self.values[owner] = self.added(gained, self.weights[f"{switch}.bias"]) if is_on else row
        return self.values[owner]

    def linear(self, weight: str, inputs: Floats, bias: str | None = None) -> Floats:
        shift = 0.0 if bias is None else self.weights[bias]
        matrix = self.weights[weight].T
        return self.rounding.settled(
            inputs @ matrix + shift, np.abs(inputs) @ np.abs(matrix) + np.abs(shift)
        )

    def in_heads(self, channels: Floats) -> Floats:
        """[T, C] -> [H, T, D]."""
        split = (len(channels), self.config.num_heads, self.config.head_size)
        return channels.reshape(split).transpose(1, 0, 2)

    def _update_gate(self, block: str, name: str) -> Floats:
        dropout = self.gates[f"{block}{name}_update.dropout"]
        return np.asarray(dropout * self.gates[f"{block}{name}.gate"])

    def added(self, left: Floats, right: Floats) -> Floats:
        return self.rounding.settled(left + right, np.abs(left) + np.abs(right))

    def product(self, left: Floats, right: Floats) -> Floats:
        """A matrix product of each head."""
        return self.rounding.settled(left @ right, np.abs(left) @ np.abs(right))

    def softmax(self, owner: str, scores: Floats) -> dict[str, Floats]:
        """Shares [..., N] with their exponentials and the sum of each row [...]."""
        largest = scores.max(axis=-1, keepdims=True) if is_shifted(scores) else 0.0
        exponentials = self.rounding.own(np.exp(scores - largest))
        total = self.rounding.own(exponentials.sum(axis=-1))
        return {
            f"{owner}.exponentials": exponentials,
            f"{owner}.sum": total,
            owner: self.rounding.own(exponentials / total[..., None]),
        }
