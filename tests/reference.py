"""MiniGPT once more, in plain NumPy float64: written apart from `model`, to check it.

Takes weights by state_dict name and works one prompt [T] at a time, head by head, with loops
where the network has matrix products, so that a mistake is unlikely to be made twice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def layer_norm(row: Array, gain: Array, shift: Array, eps: float = 1e-5) -> Array:
    """One row normalised: divides by the population standard deviation."""
    deviation = row - row.sum() / len(row)
    variance = (deviation * deviation).sum() / len(row)
    return np.asarray(deviation / math.sqrt(variance + eps) * gain + shift)


def softmax(row: Array) -> Array:
    """exp of each over the sum of all."""
    exponentials = np.array([math.exp(value - row.max()) for value in row])
    return np.asarray(exponentials / exponentials.sum())


def gelu(value: float) -> float:
    """value * Phi(value), Phi by the error function."""
    return value * 0.5 * (1.0 + math.erf(value / math.sqrt(2.0)))


def reference_trace(
    weights: Mapping[str, Any], token_ids: Sequence[int], num_heads: int, num_layers: int
) -> dict[str, Array]:
    """Every trace value of one prompt, without the batch axis."""
    w = {name: np.asarray(value, dtype=np.float64) for name, value in weights.items()}
    length = len(token_ids)
    values: dict[str, Array] = {
        "token_embeddings": w["token_embedding.weight"][list(token_ids)],
        "position_embeddings": w["position_embedding.weight"][:length],
    }
    residual = values["token_embeddings"] + values["position_embeddings"]
    values["residual_0"] = residual
    for index in range(num_layers):
        block = {
            name.removeprefix(f"blocks.{index}."): value
            for name, value in w.items()
            if name.startswith(f"blocks.{index}.")
        }
        for name, value in _block(block, residual, num_heads).items():
            values[f"blocks.{index}.{name}"] = value
        residual = values[f"blocks.{index}.residual_after_ffn"]
    hidden = _norm_rows(residual, w["final_norm.weight"], w["final_norm.bias"])
    values["final_hidden"] = hidden
    values["logits"] = _linear(hidden, w["lm_head.weight"], w["lm_head.bias"])
    values["vocabulary_probs"] = np.stack([softmax(row) for row in values["logits"]])
    return values


def _block(w: Mapping[str, Array], residual: Array, num_heads: int) -> dict[str, Array]:
    length, channels = residual.shape
    size = channels // num_heads
    ln1 = _norm_rows(residual, w["ln1.weight"], w["ln1.bias"])
    projected = _linear(ln1, w["attention.qkv.weight"])
    parts = {
        name: np.stack(
            [
                projected[:, offset + head * size : offset + (head + 1) * size]
                for head in range(num_heads)
            ]
        )
        for name, offset in (("query", 0), ("key", channels), ("value", 2 * channels))
    }
    scores = np.zeros((num_heads, length, length))
    probs = np.zeros_like(scores)
    outputs = np.zeros((num_heads, length, size))
    for head in range(num_heads):
        for looking in range(length):
            for seen in range(length):
                query, key = parts["query"][head, looking], parts["key"][head, seen]
                scores[head, looking, seen] = (query * key).sum() / math.sqrt(size)
            probs[head, looking, : looking + 1] = softmax(scores[head, looking, : looking + 1])
            for seen in range(looking + 1):
                outputs[head, looking] += probs[head, looking, seen] * parts["value"][head, seen]
    masked = scores.copy()
    masked[:, np.triu(np.ones((length, length), dtype=bool), 1)] = -np.inf
    joined = np.concatenate(list(outputs), axis=-1)
    update = _linear(joined, w["attention.output.weight"])
    after_attention = residual + update
    ln2 = _norm_rows(after_attention, w["ln2.weight"], w["ln2.bias"])
    hidden = _linear(ln2, w["ffn.0.weight"], w["ffn.0.bias"])
    activation = np.array([[gelu(value) for value in row] for row in hidden])
    ffn_update = _linear(activation, w["ffn.2.weight"], w["ffn.2.bias"])
    return {
        "ln1": ln1,
        **parts,
        "scores": scores,
        "masked_scores": masked,
        "attention_probs": probs,
        "head_outputs": outputs,
        "heads_joined": joined,
        "attention_update": update,
        "residual_after_attention": after_attention,
        "ln2": ln2,
        "ffn_hidden": hidden,
        "ffn_activation": activation,
        "ffn_update": ffn_update,
        "residual_after_ffn": after_attention + ffn_update,
    }


def _norm_rows(rows: Array, gain: Array, shift: Array) -> Array:
    return np.stack([layer_norm(row, gain, shift) for row in rows])


def _linear(rows: Array, weight: Array, bias: Array | None = None) -> Array:
    product = np.array([[(row * column).sum() for column in weight] for row in rows])
    return product if bias is None else product + bias
