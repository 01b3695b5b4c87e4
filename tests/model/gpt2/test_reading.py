"""GPT-2's and nanoGPT's weights read as a MiniGPT; what does not fit is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
import torch

from model import MiniGPT
from model.config import MiniGPTConfig
from model.errors import InputError
from model.parameters import weights_of
from model.training import new_model
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE
from tests.model.gpt2.nano_gpt import NanoGPT

CONFIG = MiniGPTConfig(5, 8, 4, 2, 2)
GPT2 = {
    "model_type": "gpt2",
    "activation_function": "gelu",
    "vocab_size": 5,
    "n_positions": 8,
    "n_embd": 4,
    "n_head": 2,
    "n_layer": 2,
    "resid_pdrop": 0.0,
}
NANO = {
    "vocab_size": 5,
    "block_size": 8,
    "n_embd": 4,
    "n_head": 2,
    "n_layer": 2,
    "bias": False,
    "dropout": 0.0,
}

Tensors = dict[str, np.ndarray]


def without_bias() -> MiniGPT:
    model = new_model(CONFIG, 2).eval()
    with torch.no_grad():
        model.lm_head.bias.zero_()
    return model


@pytest.fixture
def tensors(tmp_path: Path) -> Tensors:
    """A GPT-2's, with attention biases of zeros."""
    without_bias().save_pretrained(tmp_path / "made")
    return dict(safetensors.numpy.load_file(tmp_path / "made" / WEIGHTS_FILE))


def read(tensors: Mapping[str, np.ndarray], config: Mapping[str, Any], folder: Path) -> MiniGPT:
    folder.mkdir(exist_ok=True)
    safetensors.numpy.save_file(dict(tensors), folder / WEIGHTS_FILE)
    (folder / CONFIG_FILE).write_text(json.dumps(config))
    model: MiniGPT = MiniGPT.from_pretrained(folder)
    return model


def same(model: MiniGPT) -> bool:
    expected, actual = weights_of(without_bias()), weights_of(model)
    return all(np.array_equal(actual[name], expected[name]) for name in expected)


def renamed(tensors: Tensors, change: Callable[[str], str]) -> Tensors:
    return {change(name): value for name, value in tensors.items()}


def test_a_gpt2_folder(tensors: Tensors, tmp_path: Path) -> None:
    model = read(tensors, GPT2, tmp_path / "read")
    assert same(model)
    assert model.vocabulary is None


def test_names_without_the_prefix_compiled_names_and_stored_masks(
    tensors: Tensors, tmp_path: Path
) -> None:
    bare = renamed(tensors, lambda name: name.removeprefix("transformer."))
    assert same(read(bare, GPT2, tmp_path / "bare"))
    compiled = renamed(tensors, lambda name: f"_orig_mod.{name}")
    assert same(read(compiled, GPT2, tmp_path / "compiled"))
    mask = np.ones((1, 1, 8, 8), np.bool_)
    assert same(read({**tensors, "transformer.h.0.attn.bias": mask}, GPT2, tmp_path / "masks"))


def test_attention_biases_may_be_absent(tensors: Tensors, tmp_path: Path) -> None:
    fewer = {n: v for n, v in tensors.items() if not n.endswith(("attn.bias", "c_attn.bias"))}
    assert same(read(fewer, GPT2, tmp_path / "read"))


def test_a_tied_head_is_the_table_of_words(tensors: Tensors, tmp_path: Path) -> None:
    tied = {name: value for name, value in tensors.items() if name != "lm_head.weight"}
    model = read(tied, GPT2, tmp_path / "read")
    assert torch.equal(model.lm_head.weight, model.token_embedding.weight)


@pytest.mark.parametrize("tied", [True, False])
def test_a_checkpoint_of_nano_gpt_gives_the_same_logits(tied: bool, tmp_path: Path) -> None:
    torch.manual_seed(0)
    nano = NanoGPT(5, 8, 4, 2, 2, tied).eval()
    tensors = {name: value.numpy() for name, value in nano.state_dict().items()}
    if tied:
        del tensors["lm_head.weight"]  # safetensors holds a shared tensor once
    model = read(tensors, NANO, tmp_path)
    token_ids = torch.randint(0, 5, (32, 8))
    with torch.inference_mode():
        torch.testing.assert_close(model(token_ids)[0], nano(token_ids), atol=1e-6, rtol=1e-5)


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "tanh gelu": ({}, {"activation_function": "gelu_new"}, "gpt2_setting", "activation_function"),
    "no gelu named": ({}, {"activation_function": None}, "gpt2_setting", "activation_function"),
    "epsilon": ({}, {"layer_norm_epsilon": 1e-6}, "gpt2_setting", "layer_norm_epsilon"),
    "scores": ({}, {"scale_attn_weights": False}, "gpt2_setting", "scale_attn_weights"),
    "width": ({}, {"n_inner": 8}, "gpt2_setting", "n_inner"),
    "llama": ({}, {"model_type": "llama"}, "gpt2_kind", "llama"),
    "no number": ({}, {"n_embd": float("nan"), "n_inner": 16}, "size", "model_dim"),
    "a number of 400 digits": ({}, {"n_embd": 10**400, "n_inner": 16}, "gpt2_setting", "n_inner"),
    "no heads": ({}, {"n_head": None}, "gpt2_no_size", "n_head"),
    "two names": ({"wte.weight": np.ones((5, 4), np.float32)}, {}, "gpt2_twice", "wte.weight"),
    "heads": ({}, {"n_head": 3}, "heads", "3"),
    "context": ({}, {"n_positions": 4}, "checkpoint_shape", "position_embedding.weight"),
    "blocks": ({}, {"n_layer": 3}, "checkpoint_names", "blocks.2"),
    "attention bias": (
        {"transformer.h.1.attn.c_attn.bias": np.ones(12, np.float32)},
        {},
        "gpt2_not_zero",
        "transformer.h.1.attn.c_attn.bias",
    ),
    "another tensor": (
        {"transformer.h.0.crossattention.q_attn.weight": np.ones(3, np.float32)},
        {},
        "gpt2_unknown",
        "crossattention",
    ),
    "a missing tensor": ({"transformer.wpe.weight": None}, {}, "gpt2_missing", "wpe.weight"),
    "half": (
        {"transformer.ln_f.weight": np.ones(4, np.float16)},
        {},
        "checkpoint_dtype",
        "transformer.ln_f.weight",
    ),
    "a shape": (
        {"transformer.h.0.mlp.c_fc.weight": np.ones((4, 8), np.float32)},
        {},
        "checkpoint_shape",
        "blocks.0.ffn.0.weight",
    ),
    "not a number": (
        {"transformer.ln_f.bias": np.full(4, np.nan, np.float32)},
        {},
        "checkpoint_not_finite",
        "final_norm.bias",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_the_first_thing_that_does_not_fit_is_named(
    case: str, tensors: Tensors, tmp_path: Path
) -> None:
    changes, settings, code, name = REFUSED[case]
    changed = {k: v for k, v in {**tensors, **changes}.items() if v is not None}
    stated = {k: v for k, v in {**GPT2, **settings}.items() if v is not None}
    with pytest.raises(InputError, match=name) as caught:
        read(changed, stated, tmp_path / "read")
    assert caught.value.code == code
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "original",
    [
        {"lm_head.bias": [1.0], "final_norm.bias": [0.0] * 4, "of": ""},
        {"lm_head.bias": "abc", "final_norm.bias": [0.0] * 4, "of": ""},
        {"lm_head.bias": None, "final_norm.bias": {}, "of": 3},
        {"lm_head.bias": [[1], [2, 3]], "final_norm.bias": [0.0] * 4, "of": ""},
    ],
)
def test_a_damaged_note_of_the_bias_is_refused(
    original: Any, tensors: Tensors, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        read(tensors, {**GPT2, "mini_gpt": original}, tmp_path / "read")
    assert caught.value.code == "checkpoint_config"
