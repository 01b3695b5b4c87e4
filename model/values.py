"""The table of the network: every value between token ids and the next word, in the order in
which it is computed.

It is the only source of order, axes, inputs, weights and stage of a value: trace, stages,
workings, cost, spreadsheet, comparison and the page's map read it (`web/network_values.js` is
generated from it by `python -m tools.network_values`).

Names follow the grammar of the state_dict. Axes, in the lesson's letters: B batch, T sequence,
C model_dim, H num_heads, D head_size, F ffn_dim, V vocab_size, L context_length.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

Axes = tuple[str, ...]

BEFORE = "before"
"""Stands for the residual stream at a block's input (in END: after the last block)."""

CHOICE = "next_id"


@dataclass(frozen=True)
class Value:
    """One value. Names, also in the other fields, are without the block's prefix.

    axes: without batch. stage: the stage at which it is shown. reads: the values it is computed
    from, at its own position; looks_at: those it reads at every visible position. weights:
    state_dict names. summed: the axis a product of two values is summed over. is_traced:
    engines output it; the others are intermediate, named by the traced value they lead to, a
    dot and a name. has_batch: it has a batch axis. is_probability: it lies between 0 and 1.
    """

    name: str
    axes: Axes
    stage: str
    reads: tuple[str, ...] = ()
    looks_at: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    summed: str | None = None
    is_traced: bool = True
    has_batch: bool = True
    is_probability: bool = False


def _between(owner: str, step: str, axes: Axes, *reads: str, **how: Axes | str) -> Value:
    """An intermediate value of `owner`; `reads` that begin with a dot are relative to it."""
    own = tuple(owner + read if read.startswith(".") else read for read in reads)
    return Value(f"{owner}.{step}", axes, owner, own, is_traced=False, **how)  # type: ignore[arg-type]


def _layer_norm(name: str, read: str, weights: str) -> tuple[Value, ...]:
    return (
        _between(name, "mean", ("T",), read),
        _between(name, "deviation", ("T", "C"), read, ".mean"),
        _between(name, "variance", ("T",), ".deviation"),
        _between(name, "std", ("T",), ".variance"),
        _between(name, "normalized", ("T", "C"), ".deviation", ".std"),
        Value(
            name,
            ("T", "C"),
            name,
            (f"{name}.normalized",),
            weights=(f"{weights}.weight", f"{weights}.bias"),
        ),
    )


def _softmax(name: str, read: str, axes: Axes) -> tuple[Value, ...]:
    return (
        _between(name, "exponentials", axes, read),
        _between(name, "sum", axes[:-1], ".exponentials"),
        Value(name, axes, name, (f"{name}.exponentials", f"{name}.sum"), is_probability=True),
    )


def _linear(name: str, axes: Axes, read: str, weights: tuple[str, ...], stage: str = "") -> Value:
    return Value(name, axes, stage or name, (read,), weights=weights)


_VECTOR, _PER_HEAD, _SCORES, _UNITS = ("T", "C"), ("H", "T", "D"), ("H", "T", "T"), ("T", "F")
_QKV = ("attention.qkv.weight",)

ENTRANCE: tuple[Value, ...] = (
    Value("token_embeddings", _VECTOR, "residual_0", weights=("token_embedding.weight",)),
    Value(
        "position_embeddings",
        _VECTOR,
        "residual_0",
        weights=("position_embedding.weight",),
        has_batch=False,
    ),
    Value("residual_0", _VECTOR, "residual_0", ("token_embeddings", "position_embeddings")),
)
BLOCK: tuple[Value, ...] = (
    *_layer_norm("ln1", BEFORE, "ln1"),
    _linear("query", _PER_HEAD, "ln1", _QKV, stage="query"),
    _linear("key", _PER_HEAD, "ln1", _QKV, stage="query"),
    _linear("value", _PER_HEAD, "ln1", _QKV, stage="query"),
    _between("scores", "products", _SCORES, "query", looks_at=("key",), summed="D"),
    Value("scores", _SCORES, "scores", ("scores.products",)),
    _between("masked_scores", "mask", ("T", "T")),
    Value("masked_scores", _SCORES, "masked_scores", ("scores", "masked_scores.mask")),
    *_softmax("attention_probs", "masked_scores", _SCORES),
    Value(
        "head_outputs",
        _PER_HEAD,
        "head_outputs",
        ("attention_probs",),
        looks_at=("value",),
        summed="T",
    ),
    Value("heads_joined", _VECTOR, "heads_joined", ("head_outputs",)),
    _linear("attention_update", _VECTOR, "heads_joined", ("attention.output.weight",)),
    Value(
        "residual_after_attention",
        _VECTOR,
        "residual_after_attention",
        (BEFORE, "attention_update"),
    ),
    *_layer_norm("ln2", "residual_after_attention", "ln2"),
    _linear("ffn_hidden", _UNITS, "ln2", ("ffn.0.weight", "ffn.0.bias")),
    _between("ffn_activation", "phi", _UNITS, "ffn_hidden"),
    Value("ffn_activation", _UNITS, "ffn_activation", ("ffn_hidden", "ffn_activation.phi")),
    _linear("ffn_update", _VECTOR, "ffn_activation", ("ffn.2.weight", "ffn.2.bias")),
    Value(
        "residual_after_ffn",
        _VECTOR,
        "residual_after_ffn",
        ("residual_after_attention", "ffn_update"),
    ),
)
END: tuple[Value, ...] = (
    *_layer_norm("final_hidden", BEFORE, "final_norm"),
    _linear("logits", ("T", "V"), "final_hidden", ("lm_head.weight", "lm_head.bias")),
    *_softmax("vocabulary_probs", "logits", ("T", "V")),
    Value(CHOICE, ("T",), CHOICE, ("vocabulary_probs",), is_traced=False),
)

Weight = tuple[str, Axes]
"""A weight's name and axes, as it is stored: [out, in]. 3C stands for Q, K and V."""

ENTRANCE_WEIGHTS: tuple[Weight, ...] = (
    ("token_embedding.weight", ("V", "C")),
    ("position_embedding.weight", ("L", "C")),
)
BLOCK_WEIGHTS: tuple[Weight, ...] = (
    ("ln1.weight", ("C",)),
    ("ln1.bias", ("C",)),
    ("attention.qkv.weight", ("3C", "C")),
    ("attention.output.weight", ("C", "C")),
    ("ln2.weight", ("C",)),
    ("ln2.bias", ("C",)),
    ("ffn.0.weight", ("F", "C")),
    ("ffn.0.bias", ("F",)),
    ("ffn.2.weight", ("C", "F")),
    ("ffn.2.bias", ("C",)),
)
END_WEIGHTS: tuple[Weight, ...] = (
    ("final_norm.weight", ("C",)),
    ("final_norm.bias", ("C",)),
    ("lm_head.weight", ("V", "C")),
    ("lm_head.bias", ("V",)),
)


@dataclass(frozen=True)
class Placed:
    """A value of a whole network: `key` and the other names include the block's prefix.

    block: its index, or None outside the blocks.
    """

    value: Value
    key: str
    block: int | None
    reads: tuple[str, ...]
    looks_at: tuple[str, ...]
    weights: tuple[str, ...]


@functools.cache
def placed_values(num_layers: int) -> dict[str, Placed]:
    """Every value of a network of `num_layers` blocks by key, in the order of the computation."""
    blocks = [_placed(value, index, index) for index in range(num_layers) for value in BLOCK]
    placed = [
        *(_placed(value, None, 0) for value in ENTRANCE),
        *blocks,
        *(_placed(value, None, num_layers) for value in END),
    ]
    return {each.key: each for each in placed}


def _placed(value: Value, block: int | None, met: int) -> Placed:
    """met: the index of the block whose input BEFORE stands for."""

    def named(name: str) -> str:
        if name == BEFORE:
            return residual_before(met)
        return name if block is None else block_key(block, name)

    return Placed(
        value,
        named(value.name),
        block,
        tuple(map(named, value.reads)),
        tuple(map(named, value.looks_at)),
        tuple(map(named, value.weights)),
    )


@functools.cache
def weight_axes(num_layers: int) -> dict[str, Axes]:
    """The axes of every weight of a network of `num_layers` blocks, in the state_dict's order."""
    blocks = [
        (block_key(index, name), axes)
        for index in range(num_layers)
        for name, axes in BLOCK_WEIGHTS
    ]
    return dict([*ENTRANCE_WEIGHTS, *blocks, *END_WEIGHTS])


def block_key(index: int, name: str) -> str:
    """The key of value or weight `name` in block `index`: `blocks.0.ln1`."""
    return f"blocks.{index}.{name}"


def bare_name(key: str) -> str:
    """`key` without its block: `blocks.0.ln1.mean` -> `ln1.mean`."""
    return key.split(".", 2)[2] if key.startswith("blocks.") else key


def residual_before(index: int) -> str:
    """The key of the residual stream at the input of block `index`.

    index: `num_layers` gives the residual stream after the last block.
    """
    return "residual_0" if index == 0 else block_key(index - 1, "residual_after_ffn")


@functools.cache
def traced_reads(key: str, num_layers: int) -> tuple[str, ...]:
    """The traced values that the value under `key` is computed from, in the table's order."""
    places, found = placed_values(num_layers), dict[str, None]()
    for read in (*places[key].reads, *places[key].looks_at):
        own = (read,) if places[read].value.is_traced else traced_reads(read, num_layers)
        found |= dict.fromkeys(own)
    return tuple(found)
