"""The switched network once more, in NumPy float64, written apart from `model` to check it.

What is off is *left out* here (no head, no addition, no norm), where the network multiplies by
zero: the two agree only if the gates do what they say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.reference import Array, gelu, layer_norm, softmax


def switched_logits(
    weights: Mapping[str, Any],
    token_ids: Sequence[int],
    num_heads: int,
    num_layers: int,
    off: str,
) -> Array:
    """Logits [T, V] of one prompt with the switch `off` off."""
    w = {name: np.asarray(values, dtype=np.float64) for name, values in weights.items()}
    rows = [w["token_embedding.weight"][token] for token in token_ids]
    if off != "position_embedding":
        rows = [row + w["position_embedding.weight"][at] for at, row in enumerate(rows)]
    for index in range(num_layers):
        rows = _block(w, f"blocks.{index}.", rows, num_heads, off)
    if off != "final_norm":
        rows = [layer_norm(row, w["final_norm.weight"], w["final_norm.bias"]) for row in rows]
    return np.stack([w["lm_head.weight"] @ row + w["lm_head.bias"] for row in rows])


def _block(w: Mapping[str, Array], at: str, rows: list[Array], heads: int, off: str) -> list[Array]:
    if off != f"{at}attention":
        updates = _attention(w, at, _norm(w, f"{at}ln1", rows, off), heads, off)
    else:
        updates = [np.zeros_like(row) for row in rows]
    carried = rows if off != f"{at}residual_attention" else [np.zeros_like(row) for row in rows]
    rows = [row + update for row, update in zip(carried, updates, strict=True)]
    updates = [np.zeros_like(row) for row in rows]
    if off != f"{at}ffn":
        updates = [_ffn(w, at, row) for row in _norm(w, f"{at}ln2", rows, off)]
    if off == f"{at}residual_ffn":
        return updates
    return [row + update for row, update in zip(rows, updates, strict=True)]


def _norm(w: Mapping[str, Array], name: str, rows: list[Array], off: str) -> list[Array]:
    if off == name:
        return rows
    return [layer_norm(row, w[f"{name}.weight"], w[f"{name}.bias"]) for row in rows]


def _attention(
    w: Mapping[str, Array], at: str, normed: list[Array], heads: int, off: str
) -> list[Array]:
    channels = len(normed[0])
    size = channels // heads
    query, key, value = np.split(w[f"{at}attention.qkv.weight"], 3)
    updates = []
    for looking, row in enumerate(normed):
        visible = normed if off == "causal_mask" else normed[: looking + 1]
        joined = np.zeros(channels)
        for head in range(heads):
            if off == f"{at}head.{head}":
                continue
            part = slice(head * size, (head + 1) * size)
            asked = (query @ row)[part]
            scores = [asked @ (key @ seen)[part] / math.sqrt(size) for seen in visible]
            shares = softmax(np.array(scores))
            joined[part] = sum(
                share * (value @ seen)[part] for share, seen in zip(shares, visible, strict=True)
            )
        updates.append(w[f"{at}attention.output.weight"] @ joined)
    return updates


def _ffn(w: Mapping[str, Array], at: str, row: Array) -> Array:
    hidden = w[f"{at}ffn.0.weight"] @ row + w[f"{at}ffn.0.bias"]
    activation = np.array([gelu(value) for value in hidden])
    return np.asarray(w[f"{at}ffn.2.weight"] @ activation + w[f"{at}ffn.2.bias"])
