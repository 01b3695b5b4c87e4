"""GPT-2's `config.json`: MiniGPT's sizes in its keys, and whether another's fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.config import FFN_FACTOR, LAYER_NORM_EPS, MiniGPTConfig
from model.errors import InputError

MODEL_TYPE = "gpt2"
GELU = "gelu"  # the exact one; GPT-2's own, "gelu_new", is an approximation by tanh

_SIZES = {  # ours: transformers' key, nanoGPT's key
    "vocab_size": ("vocab_size", "vocab_size"),
    "context_length": ("n_positions", "block_size"),
    "model_dim": ("n_embd", "n_embd"),
    "num_heads": ("n_head", "n_head"),
    "num_layers": ("n_layer", "n_layer"),
    "dropout": ("resid_pdrop", "dropout"),
}
_SHOWN = 60  # characters of a value in an error
_MUST_BE: dict[str, Any] = {  # key: the only value that MiniGPT computes; also GPT-2's default
    "layer_norm_epsilon": LAYER_NORM_EPS,
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "add_cross_attention": False,
}


def gpt2_settings(config: MiniGPTConfig) -> dict[str, Any]:
    """The keys of a `GPT2Config` for these sizes; no word ends a text."""
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": MODEL_TYPE,
        "activation_function": GELU,
        "attn_pdrop": config.dropout,
        "bos_token_id": None,
        "dtype": "float32",
        "embd_pdrop": 0.0,
        "eos_token_id": None,
        "layer_norm_epsilon": LAYER_NORM_EPS,
        "n_embd": config.model_dim,
        "n_head": config.num_heads,
        "n_inner": config.ffn_dim,
        "n_layer": config.num_layers,
        "n_positions": config.context_length,
        "resid_pdrop": config.dropout,
        "tie_word_embeddings": False,
        "vocab_size": config.vocab_size,
    }


def is_gpt2(description: Mapping[str, Any]) -> bool:
    """Whether a `config.json` is one of transformers or of nanoGPT, not our own."""
    return "model_type" in description or "n_embd" in description


def in_our_keys(description: Mapping[str, Any]) -> dict[str, Any]:
    """MiniGPT's six arguments; dropout only if it is stated.

    Raises:
        InputError: a setting is one that MiniGPT does not compute, or a size is missing; the
            first of them.
    """
    is_nano = "block_size" in description
    if not is_nano:
        _check(description)
    keys = {ours: both[is_nano] for ours, both in _SIZES.items()}
    for ours, key in keys.items():
        if key not in description and ours != "dropout":
            raise InputError("gpt2_no_size", name=key)
    return {ours: description[key] for ours, key in keys.items() if key in description}


def _check(description: Mapping[str, Any]) -> None:
    kind = description.get("model_type", MODEL_TYPE)
    if kind != MODEL_TYPE:
        raise InputError("gpt2_kind", met=repr(kind))
    channels, width = description.get("n_embd"), description.get("n_inner")
    if type(channels) is int:  # what else it may be is told with the sizes
        width = FFN_FACTOR * channels
    needed = {"activation_function": GELU, **_MUST_BE, "n_inner": width}
    defaults = {"activation_function": "gelu_new", **_MUST_BE, "n_inner": None}
    for key, value in needed.items():
        met = description.get(key, defaults[key])
        if met != value and not (key == "n_inner" and met is None):
            shown = {"met": repr(met)[:_SHOWN], "needed": repr(value)[:_SHOWN]}
            raise InputError("gpt2_setting", key=key, **shown)
