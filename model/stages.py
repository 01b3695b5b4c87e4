"""The stops of the network in the order of the computation, and what is said at each.

A stop is named by the trace value it ends in: `residual_0`, `blocks.0.ln1`, …, `next_id`.
`stages.json` holds title, sentence and formula (LaTeX) of each, in both languages, and the
names of all values and weights, so that JavaScript reads the very same ones. No torch here.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.config import MiniGPTConfig
from model.parameters import parameter_shapes
from model.trace import block_key, trace_shapes
from model.working.source import CHOICE, derived_keys, residual_before

_TEXTS_FILE = Path(__file__).parent / "stages.json"
_NORM_STEPS = ("mean", "deviation", "variance", "std", "normalized")


@dataclass(frozen=True)
class Stage:
    """One stop. The last of `values` is what it ends in.

    key: that value's key; name: the key without its block; block: which one, or None.
    values: trace and derived keys, in the order of the computation; reads: the trace keys it
    starts from; weights: state_dict names it uses.
    """

    key: str
    name: str
    block: int | None
    values: tuple[str, ...]
    reads: tuple[str, ...]
    weights: tuple[str, ...]


@dataclass(frozen=True)
class _Form:
    """A stop as it is in every block: names without the block's prefix."""

    values: tuple[str, ...]
    reads: tuple[str, ...]
    weights: tuple[str, ...] = ()


def _norm(name: str, read: str, weight: str) -> _Form:
    steps = tuple(f"{name}.{step}" for step in _NORM_STEPS)
    return _Form((*steps, name), (read,), (f"{weight}.weight", f"{weight}.bias"))


_BEFORE = "before"  # stands for the residual stream as the block meets it
_BLOCK: tuple[_Form, ...] = (
    _norm("ln1", _BEFORE, "ln1"),
    _Form(("query", "key", "value"), ("ln1",), ("attention.qkv.weight",)),
    _Form(("scores.products", "scores"), ("query", "key")),
    _Form(("masked_scores.mask", "masked_scores"), ("scores",)),
    _Form(
        ("attention_probs.exponentials", "attention_probs.sum", "attention_probs"),
        ("masked_scores",),
    ),
    _Form(("head_outputs",), ("attention_probs", "value")),
    _Form(("heads_joined",), ("head_outputs",)),
    _Form(("attention_update",), ("heads_joined",), ("attention.output.weight",)),
    _Form(("residual_after_attention",), (_BEFORE, "attention_update")),
    _norm("ln2", "residual_after_attention", "ln2"),
    _Form(("ffn_hidden",), ("ln2",), ("ffn.expand.weight", "ffn.expand.bias")),
    _Form(("ffn_activation.phi", "ffn_activation"), ("ffn_hidden",)),
    _Form(("ffn_update",), ("ffn_activation",), ("ffn.contract.weight", "ffn.contract.bias")),
    _Form(("residual_after_ffn",), ("residual_after_attention", "ffn_update")),
)
_FIRST = _Form(
    ("token_embeddings", "position_embeddings", "residual_0"),
    (),
    ("token_embedding.weight", "position_embedding.weight"),
)
_LAST: tuple[_Form, ...] = (
    _norm("final_hidden", _BEFORE, "final_norm"),
    _Form(("logits",), ("final_hidden",), ("lm_head.weight", "lm_head.bias")),
    _Form(
        ("vocabulary_probs.exponentials", "vocabulary_probs.sum", "vocabulary_probs"), ("logits",)
    ),
    _Form((CHOICE,), ("vocabulary_probs",)),
)
_NAMED_BY_FIRST = ("query", "key", "value")  # one stop of three values, named by the first


@functools.cache
def stages(config: MiniGPTConfig) -> tuple[Stage, ...]:
    """Every stop of a network of these sizes, in order: 5 + 14 a block."""
    in_blocks = (
        _stage(form, index, residual_before(index))
        for index in range(config.num_layers)
        for form in _BLOCK
    )
    end = residual_before(config.num_layers)
    return (
        _stage(_FIRST, None, ""),
        *in_blocks,
        *(_stage(form, None, end) for form in _LAST),
    )


def stage_of(key: str, config: MiniGPTConfig) -> Stage | None:
    """The stop at which a value (trace, derived) or a weight is shown; None if there is none."""
    return _homes(config).get(key)


@functools.cache
def _homes(config: MiniGPTConfig) -> dict[str, Stage]:
    return {key: stage for stage in stages(config) for key in (*stage.values, *stage.weights)}


def _stage(form: _Form, block: int | None, before: str) -> Stage:
    def named(name: str) -> str:
        if name == _BEFORE:
            return before
        return name if block is None else block_key(block, name)

    name = form.values[0 if form.values == _NAMED_BY_FIRST else -1]
    return Stage(
        key=named(name),
        name=name,
        block=block,
        values=tuple(map(named, form.values)),
        reads=tuple(map(named, form.reads)),
        weights=tuple(map(named, form.weights)),
    )


@functools.cache
def value_axes(config: MiniGPTConfig) -> dict[str, tuple[str, ...]]:
    """The axes of every value that a stop shows, in the lesson's letters, without batch."""
    traced = {
        key: tuple(axis for axis in axes if axis != "B")
        for key, axes in trace_shapes(config.num_layers).items()
    }
    return traced | derived_keys(config)


def axis_sizes(config: MiniGPTConfig, sequence: int) -> dict[str, int]:
    """Every axis letter and its size for a prompt of `sequence` words."""
    return {
        "B": 1,
        "T": sequence,
        "C": config.model_dim,
        "H": config.num_heads,
        "D": config.head_size,
        "F": config.ffn_dim,
        "V": config.vocab_size,
    }


@functools.cache
def weight_axes(config: MiniGPTConfig) -> dict[str, tuple[str, ...]]:
    """The axes of every weight: V words, L places (context_length), C, F, or 3C for Q, K, V."""
    letters = {
        "token_embedding.weight": ("V", "C"),
        "position_embedding.weight": ("L", "C"),
        "attention.qkv.weight": ("3C", "C"),
        "attention.output.weight": ("C", "C"),
        "ffn.expand.weight": ("F", "C"),
        "ffn.expand.bias": ("F",),
        "ffn.contract.weight": ("C", "F"),
        "lm_head.weight": ("V", "C"),
        "lm_head.bias": ("V",),
    }
    return {name: letters.get(bare_name(name), ("C",)) for name in parameter_shapes(config)}


def bare_name(key: str) -> str:
    """`key` without its block: `blocks.0.ln1.mean` -> `ln1.mean`."""
    return key.split(".", 2)[2] if key.startswith("blocks.") else key


@functools.cache
def texts() -> dict[str, dict[str, Any]]:
    """`stages.json`: `{stages: {name: {title, sentence, formula}}, values: …, weights: …}`."""
    loaded: dict[str, dict[str, Any]] = json.loads(_TEXTS_FILE.read_text(encoding="utf-8"))
    return loaded
