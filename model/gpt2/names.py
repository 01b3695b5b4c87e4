"""GPT-2's names of the weights beside MiniGPT's."""

from __future__ import annotations

from dataclasses import dataclass

from model.values import block_key

BODY = "transformer."  # prefix of everything but `lm_head` in a model with a head
HEAD = "lm_head.weight"
HEAD_BIAS = "lm_head.bias"
SHIFT = "final_norm.bias"


@dataclass(frozen=True)
class Named:
    """A weight in both: ours, and GPT-2's without the prefix `transformer.`.

    is_matrix: GPT-2 stores it as [in, out] (transformers' `Conv1D`), MiniGPT and nanoGPT as
    [out, in]. may_lack: a file without it means zeros (nanoGPT's `bias=False`).
    """

    ours: str
    theirs: str
    is_matrix: bool = False
    may_lack: bool = False


_BLOCK = (
    Named("ln1.weight", "ln_1.weight"),
    Named("ln1.bias", "ln_1.bias", may_lack=True),
    Named("attention.qkv.weight", "attn.c_attn.weight", is_matrix=True),
    Named("attention.output.weight", "attn.c_proj.weight", is_matrix=True),
    Named("ln2.weight", "ln_2.weight"),
    Named("ln2.bias", "ln_2.bias", may_lack=True),
    Named("ffn.0.weight", "mlp.c_fc.weight", is_matrix=True),
    Named("ffn.0.bias", "mlp.c_fc.bias", may_lack=True),
    Named("ffn.2.weight", "mlp.c_proj.weight", is_matrix=True),
    Named("ffn.2.bias", "mlp.c_proj.bias", may_lack=True),
)
ATTENTION_BIASES = {"attn.c_attn.bias": 3, "attn.c_proj.bias": 1}
"""Of each block, with their size in channels; MiniGPT has none, so they must be zero."""
MASKS = ("attn.bias", "attn.masked_bias")
"""The causal mask, which older files hold beside the weights."""


def body(num_layers: int) -> list[Named]:
    """Every weight but `lm_head`'s, in the order of the state_dict."""
    blocks = [
        Named(block_key(index, entry.ours), block(index, entry.theirs), *_kind(entry))
        for index in range(num_layers)
        for entry in _BLOCK
    ]
    return [
        Named("token_embedding.weight", "wte.weight"),
        Named("position_embedding.weight", "wpe.weight"),
        *blocks,
        Named("final_norm.weight", "ln_f.weight"),
        Named(SHIFT, "ln_f.bias", may_lack=True),
    ]


def block(index: int, name: str) -> str:
    """`h.0.ln_1.weight`."""
    return f"h.{index}.{name}"


def _kind(entry: Named) -> tuple[bool, bool]:
    return entry.is_matrix, entry.may_lack
