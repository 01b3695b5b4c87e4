"""The results of common mistakes at each step: one number for each mistake.

A mistake is named by the key of a sentence (`working.mistake.{key}` of the page's strings).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from model.config import LAYER_NORM_EPS
from model.values import bare_name, residual_before
from model.working.source import Source

Cell = tuple[int, ...]
Mistake = tuple[str, float]
Floats = NDArray[np.float64]


def mistakes(source: Source, key: str, cell: Cell) -> list[Mistake]:
    """The common mistakes for one cell, the likeliest first, without non-finite results."""
    find = FINDERS.get(bare_name(key).rpartition(".")[2])
    found = [] if find is None else list(find(source, key, cell))
    return [(name, float(value)) for name, value in found if math.isfinite(value)]


def _read(source: Source, key: str) -> Floats:
    return np.asarray(source.array(key), dtype=np.float64)


def _block(key: str) -> str:
    return ".".join(key.split(".")[:2])


def _normed(source: Source, key: str) -> str:
    """The key of the input of the LayerNorm whose step is `key`."""
    return source.reads(f"{key.rpartition('.')[0]}.mean")[0]


def _softmax(row: Floats) -> Floats:
    exponentials = np.exp(row - row.max())
    return np.asarray(exponentials / exponentials.sum())


def _embedded(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    yield "forgot_position", _read(source, "token_embeddings")[cell]
    yield "forgot_token", _read(source, "position_embeddings")[cell]


def _token_row(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    for row in _read(source, "token_embedding.weight"):
        yield "other_row", row[cell[1]]


def _position_row(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    for row in _read(source, "position_embedding.weight"):
        yield "other_row", row[cell[1]]


def _layer_norm(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    position, channel = cell
    row = _read(source, source.reads(f"{key}.mean")[0])[position]
    weights = key.replace("final_hidden", "final_norm")
    gain = float(source.array(f"{weights}.weight")[channel])
    shift = float(source.array(f"{weights}.bias")[channel])
    deviation, variance = row[channel] - row.mean(), row.var()
    if len(row) > 1:
        sample = deviation / math.sqrt(row.var(ddof=1) + LAYER_NORM_EPS)
        yield "sample_variance", sample * gain + shift
    yield "forgot_root", deviation / (variance + LAYER_NORM_EPS) * gain + shift
    yield "forgot_mean", row[channel] / math.sqrt(variance + LAYER_NORM_EPS) * gain + shift
    normalized = deviation / math.sqrt(variance + LAYER_NORM_EPS)
    yield "forgot_gain", normalized + shift
    yield "forgot_shift", normalized * gain


def _normalized(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    position, channel = cell
    row = _read(source, _normed(source, key))[position]
    deviation, variance = row[channel] - row.mean(), row.var()
    if len(row) > 1:
        yield "sample_variance", deviation / math.sqrt(row.var(ddof=1) + LAYER_NORM_EPS)
    yield "forgot_root", deviation / (variance + LAYER_NORM_EPS)
    yield "forgot_mean", row[channel] / math.sqrt(variance + LAYER_NORM_EPS)


def _variance(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    row = _read(source, _normed(source, key))[cell[0]]
    if len(row) > 1:
        yield "sample_variance", row.var(ddof=1)
    yield "forgot_divide", row.var() * len(row)
    yield "forgot_root_back", row.std()


def _std(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    row = _read(source, _normed(source, key))[cell[0]]
    if len(row) > 1:
        yield "sample_variance", math.sqrt(row.var(ddof=1) + LAYER_NORM_EPS)
    yield "forgot_root", row.var()


def _mean(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    row = _read(source, _normed(source, key))[cell[0]]
    yield "forgot_divide", row.sum()


def _scores(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    head, looking, seen = cell
    products = _read(source, f"{key}.products")
    yield "forgot_scale", products[cell]
    yield "divided_by_size", products[cell] / source.config.head_size
    yield "query_key_swapped", _read(source, key)[head, seen, looking]


def _masked(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    yield "forgot_mask", _read(source, key.replace("masked_scores", "scores"))[cell]


def _unscaled(source: Source, block: str) -> Floats:
    """The masked dot products: scores before they are divided by √D."""
    mask = _read(source, f"{block}.masked_scores.mask")
    return _read(source, f"{block}.scores.products") + mask


def _attention(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    head, looking, seen = cell
    scores = _read(source, f"{_block(key)}.scores")[head]
    yield "forgot_scale", _softmax(_unscaled(source, _block(key))[head, looking])[seen]
    yield "forgot_mask", _softmax(scores[looking])[seen]
    yield "softmax_by_column", _softmax(scores[:, seen])[looking]
    yield from _shares(source, key, cell)


def _shares(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    row = _read(source, source.reads(f"{key}.exponentials")[0])[cell[:-1]]
    yield "forgot_divide_sum", math.exp(min(row[cell[-1]], 700.0))
    yield "forgot_exp", row[cell[-1]] / row[np.isfinite(row)].sum()
    yield "forgot_softmax", row[cell[-1]]


def _exponential(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    owner = key.rpartition(".")[0]
    row = _read(source, source.reads(key)[0])[cell[:-1]]
    yield _other_shift(source, owner), np.exp(_otherwise_shifted(source, owner, row))[cell[-1]]
    yield "forgot_exp", row[cell[-1]]


def _total(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    owner = key.rpartition(".")[0]
    row = _read(source, source.reads(f"{owner}.exponentials")[0])[cell]
    yield _other_shift(source, owner), np.exp(_otherwise_shifted(source, owner, row)).sum()
    yield "forgot_exp", row[np.isfinite(row)].sum()


def _other_shift(source: Source, owner: str) -> str:
    return "forgot_largest" if source.is_shifted(owner) else "subtracted_largest"


def _otherwise_shifted(source: Source, owner: str, row: Floats) -> Floats:
    """The exponents of `row` with the opposite choice about subtracting its largest value."""
    return np.minimum(row if source.is_shifted(owner) else row - row.max(), 700.0)


def _head_output(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    head, looking, channel = cell
    block = _block(key)
    attention, value = _read(source, f"{block}.attention_probs"), _read(source, f"{block}.value")
    for other in range(source.config.num_heads):
        if other != head:
            yield "other_head", float(attention[other, looking] @ value[head, :, channel])
            yield "other_head", float(attention[head, looking] @ value[other, :, channel])
    unmasked = _softmax(_read(source, f"{block}.scores")[head, looking])
    yield "forgot_mask", float(unmasked @ value[head, :, channel])
    unscaled = _softmax(_unscaled(source, block)[head, looking])
    yield "forgot_scale", float(unscaled @ value[head, :, channel])
    yield "plain_mean", value[head, : looking + 1, channel].mean()
    yield "forgot_weights", value[head, : looking + 1, channel].sum()
    keys = _read(source, f"{block}.key")[head, :, channel]
    yield "key_for_value", float(attention[head, looking] @ keys)
    yield "weights_reversed", float(attention[head, looking, ::-1] @ value[head, :, channel])


def _linear(weight: str, read: str, bias: str | None = None) -> Callable[..., Iterator[Mistake]]:
    """Mistakes of `weight` times `read` plus `bias`; names are without the block prefix."""

    def find(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
        position, out = cell
        prefix = f"{_block(key)}." if key.startswith("blocks.") else ""
        matrix, inputs = _read(source, prefix + weight), _read(source, prefix + read)[position]
        shift = 0.0 if bias is None else float(source.array(prefix + bias)[out])
        yield "forgot_bias", matrix[out] @ inputs
        if matrix.shape[0] == matrix.shape[1]:
            yield "rows_for_columns", matrix[:, out] @ inputs + shift
        if out < len(inputs):
            yield "forgot_matrix", inputs[out]

    return find


def _ffn_hidden(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    position, unit = cell
    block = _block(key)
    matrix = _read(source, f"{block}.ffn.0.weight")
    residual = _read(source, f"{block}.residual_after_attention")[position]
    bias = float(source.array(f"{block}.ffn.0.bias")[unit])
    yield from _linear("ffn.0.weight", "ln2", "ffn.0.bias")(source, key, cell)
    yield "forgot_norm", matrix[unit] @ residual + bias


def _other_activations(hidden: Floats) -> Iterator[tuple[str, Floats]]:
    """What is mistaken for GELU, applied to every unit."""
    yield "relu", np.maximum(hidden, 0.0)
    yield "forgot_gelu", hidden
    yield "silu", hidden / (1 + np.exp(np.minimum(-hidden, 700.0)))
    inner = math.sqrt(2 / math.pi) * (hidden + 0.044715 * hidden**3)
    yield "tanh_gelu", 0.5 * hidden * (1 + np.tanh(inner))


def _gelu(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    hidden = _read(source, key.replace("ffn_activation", "ffn_hidden"))
    for name, activation in _other_activations(hidden):
        yield name, activation[cell]


def _ffn_update(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    position, channel = cell
    block = _block(key)
    matrix = _read(source, f"{block}.ffn.2.weight")
    bias = float(source.array(f"{block}.ffn.2.bias")[channel])
    yield from _linear("ffn.2.weight", "ffn_activation", "ffn.2.bias")(source, key, cell)
    hidden = _read(source, f"{block}.ffn_hidden")[position]
    for name, activation in _other_activations(hidden):
        yield name, matrix[channel] @ activation + bias


def _addition(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    old, new = (_read(source, read)[cell] for read in source.reads(key))
    yield "forgot_residual", new
    yield "forgot_update", old
    yield "subtracted", old - new


def _logits(source: Source, key: str, cell: Cell) -> Iterator[Mistake]:
    position, word = cell
    matrix = _read(source, "lm_head.weight")
    end = _read(source, residual_before(source.config.num_layers))[position]
    yield from _linear("lm_head.weight", "final_hidden", "lm_head.bias")(source, key, cell)
    yield "forgot_norm", matrix[word] @ end + float(source.array("lm_head.bias")[word])


FINDERS: dict[str, Callable[[Source, str, Cell], Iterator[Mistake]]] = {
    "token_embeddings": _token_row,
    "position_embeddings": _position_row,
    "residual_0": _embedded,
    "ln1": _layer_norm,
    "ln2": _layer_norm,
    "final_hidden": _layer_norm,
    "mean": _mean,
    "normalized": _normalized,
    "variance": _variance,
    "std": _std,
    "scores": _scores,
    "masked_scores": _masked,
    "exponentials": _exponential,
    "sum": _total,
    "attention_probs": _attention,
    "head_outputs": _head_output,
    "attention_update": _linear("attention.output.weight", "heads_joined"),
    "residual_after_attention": _addition,
    "ffn_hidden": _ffn_hidden,
    "ffn_activation": _gelu,
    "ffn_update": _ffn_update,
    "residual_after_ffn": _addition,
    "logits": _logits,
    "vocabulary_probs": _shares,
}
