"""The folder that `save_pretrained` writes."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
import torch

from model import MiniGPT
from model.config import MiniGPTConfig
from model.gpt2.folder import ONNX_FILE
from model.gpt2.reading import ORIGINAL
from model.parameters import weights_of
from model.teaching import teaching_model
from model.trained import trained_model
from model.training import new_model
from model.vocabulary import Vocabulary
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE

CONFIG = MiniGPTConfig(5, 8, 4, 2, 2, 0.1)
MODELS: dict[str, Callable[[], MiniGPT]] = {
    "teaching": teaching_model,
    "trained": trained_model,
    "new": lambda: new_model(CONFIG, 1),
}


@pytest.mark.parametrize("name", MODELS)
def test_our_own_loader_reads_it_bit_for_bit(name: str, tmp_path: Path) -> None:
    model = MODELS[name]()
    model.save_pretrained(tmp_path)
    stored = safetensors.numpy.load_file(tmp_path / WEIGHTS_FILE)
    assert "lm_head.bias" not in stored
    loaded = MiniGPT.from_pretrained(tmp_path)
    assert loaded.config == model.config
    assert loaded.vocabulary == model.vocabulary
    for key, value in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[key], value), key


def test_the_weights_file_alone_states_everything(tmp_path: Path) -> None:
    from model.checkpoint import read_checkpoint

    model = trained_model()
    model.save_pretrained(tmp_path)
    read = read_checkpoint((tmp_path / WEIGHTS_FILE).read_bytes())
    assert (read.config, read.vocabulary) == (model.config, model.vocabulary)
    for name, value in weights_of(model).items():
        np.testing.assert_array_equal(read.weights[name], value)


def test_weights_that_were_trained_further_elsewhere_are_read_as_they_are(tmp_path: Path) -> None:
    """The original bias counts only for the head and the shift that it was folded into."""
    trained_model().save_pretrained(tmp_path)
    stored = dict(safetensors.numpy.load_file(tmp_path / WEIGHTS_FILE))
    stored["transformer.ln_f.bias"] += np.float32(0.5)
    safetensors.numpy.save_file(stored, tmp_path / WEIGHTS_FILE, {"format": "pt"})
    loaded = MiniGPT.from_pretrained(tmp_path).state_dict()
    assert ORIGINAL in json.loads((tmp_path / CONFIG_FILE).read_text("utf-8"))
    assert not loaded["lm_head.bias"].any()
    np.testing.assert_array_equal(
        loaded["final_norm.bias"].numpy(), stored["transformer.ln_f.bias"]
    )


def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    for place in ("first", "second"):
        trained_model().save_pretrained(tmp_path / place)
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / place).rglob("*") if path.is_file()}
        for place in ("first", "second")
    )
    assert first == second


def test_where_folding_is_not_exact_it_is_our_own_form_and_the_card_says_so(
    tmp_path: Path,
) -> None:
    model = new_model(MiniGPTConfig(9, 4, 4, 2, 1), 0)
    model.save_pretrained(tmp_path)
    assert not (tmp_path / ONNX_FILE).exists()
    assert "model_type" not in json.loads((tmp_path / CONFIG_FILE).read_text("utf-8"))
    assert "change the logits by up to" in (tmp_path / "README.md").read_text("utf-8")
    loaded = MiniGPT.from_pretrained(tmp_path)
    assert torch.equal(loaded.lm_head.bias, model.lm_head.bias)


def test_every_file_can_be_read_by_all(tmp_path: Path) -> None:
    trained_model().save_pretrained(tmp_path)
    for path in tmp_path.rglob("*"):
        assert path.stat().st_mode & stat.S_IROTH, path


@pytest.mark.parametrize("words", [("我", '"', "{a}", "`b`", "|"), ("a", "b\nc", "d", "e", "f")])
def test_the_card_holds_any_words(words: tuple[str, ...], tmp_path: Path) -> None:
    model = new_model(CONFIG, 1)
    model.vocabulary = Vocabulary(words)
    model.save_pretrained(tmp_path)
    card = (tmp_path / "README.md").read_text("utf-8")
    assert f"generator({json.dumps(words[0], ensure_ascii=False)})" in card


def test_the_eight_bit_file_is_not_called_the_same(tmp_path: Path) -> None:
    trained_model().save_pretrained(tmp_path)
    card = (tmp_path / "README.md").read_text("utf-8")
    assert "is not the same network: its logits\n  differ by up to" in card
    exact, coarse = (
        (tmp_path / "onnx" / name).read_bytes() for name in ("model.onnx", "model_quantized.onnx")
    )
    assert exact != coarse


def test_no_word_ends_a_text(tmp_path: Path) -> None:
    trained_model().save_pretrained(tmp_path)
    for name in (CONFIG_FILE, "generation_config.json"):
        assert json.loads((tmp_path / name).read_text("utf-8"))["eos_token_id"] is None
    genai = json.loads((tmp_path / "genai_config.json").read_text("utf-8"))["model"]
    assert genai["eos_token_id"] == 5  # the ids of words end at 4
