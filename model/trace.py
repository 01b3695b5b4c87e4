"""Names and shapes of every value between token ids and next-word probabilities.

The names follow the grammar of the state_dict. Axes, in the lesson's letters:
B batch, T sequence, C model_dim, H num_heads, D head_size, F ffn_dim, V vocab_size.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType

BLOCK_SHAPES: dict[str, tuple[str, ...]] = {
    "ln1": ("B", "T", "C"),
    "query": ("B", "H", "T", "D"),
    "key": ("B", "H", "T", "D"),
    "value": ("B", "H", "T", "D"),
    "scores": ("B", "H", "T", "T"),
    "masked_scores": ("B", "H", "T", "T"),
    "attention_probs": ("B", "H", "T", "T"),
    "head_outputs": ("B", "H", "T", "D"),
    "heads_joined": ("B", "T", "C"),
    "attention_update": ("B", "T", "C"),
    "residual_after_attention": ("B", "T", "C"),
    "ln2": ("B", "T", "C"),
    "ffn_hidden": ("B", "T", "F"),
    "ffn_activation": ("B", "T", "F"),
    "ffn_update": ("B", "T", "C"),
    "residual_after_ffn": ("B", "T", "C"),
}
_BEFORE: dict[str, tuple[str, ...]] = {
    "token_embeddings": ("B", "T", "C"),
    "position_embeddings": ("T", "C"),
    "residual_0": ("B", "T", "C"),
}
_AFTER: dict[str, tuple[str, ...]] = {
    "final_hidden": ("B", "T", "C"),
    "logits": ("B", "T", "V"),
    "vocabulary_probs": ("B", "T", "V"),
}


@functools.cache
def trace_shapes(num_layers: int) -> Mapping[str, tuple[str, ...]]:
    """The axes of every trace value, in the order in which they are computed."""
    blocks = {
        block_key(index, name): axes
        for index in range(num_layers)
        for name, axes in BLOCK_SHAPES.items()
    }
    return MappingProxyType({**_BEFORE, **blocks, **_AFTER})


def block_key(index: int, name: str) -> str:
    """The trace key of value `name` in block `index`: `blocks.0.ln1`."""
    return f"blocks.{index}.{name}"
