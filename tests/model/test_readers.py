"""One check for all readers: the same files are refused by each, with the same words."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from export.decode_ort.file import FORM
from export.decode_ort.own_model import write_own
from model.config import MiniGPTConfig
from model.errors import InputError
from model.model_files import load_folder, save_folder
from model.network import MiniGPT
from model.training import new_model
from model.vocabulary import LESSON_WORDS
from model.weights_file import CONFIG_FILE, METADATA_KEY, WEIGHTS_FILE
from ui.panels.training import own_load

CONFIG = MiniGPTConfig(5, 8, 4, 2, 2, 0.1)
WORDS = LESSON_WORDS


def _export(folder: Path) -> None:
    write_own(folder, FORM, folder / "out")


def _upload(folder: Path) -> None:
    content = base64.b64encode((folder / WEIGHTS_FILE).read_bytes()).decode()
    config = (folder / CONFIG_FILE).read_text("utf-8")
    answer = own_load({"content": content, "config": config, "lang": "en"})
    if "error" in answer:
        raise AnsweredError(answer["error"]["code"])


class AnsweredError(Exception):
    """What the page answers instead of raising."""


def refusal(read: Callable[[Path], Any], folder: Path) -> str:
    """The code of the error with which a reader refuses."""
    with pytest.raises((InputError, AnsweredError)) as caught:
        read(folder)
    error = caught.value
    return error.code if isinstance(error, InputError) else str(error)


READERS: dict[str, Callable[[Path], Any]] = {
    "load_folder": load_folder,
    "from_pretrained": MiniGPT.from_pretrained,
    "export --model": _export,
    "the page": _upload,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_folder(new_model(CONFIG, 3), tmp_path, WORDS)
    return tmp_path


def stating(**changes: Any) -> Callable[[Path], None]:
    """Put `changes` into config.json."""

    def spoil(folder: Path) -> None:
        path = folder / CONFIG_FILE
        stated = json.loads(path.read_text("utf-8")) | changes
        path.write_text(json.dumps(stated), "utf-8")

    return spoil


def holding(value: float) -> Callable[[Path], None]:
    """Put `value` into the weights, which go on saying of themselves what they said."""

    def spoil(folder: Path) -> None:
        state = safetensors.torch.load_file(folder / WEIGHTS_FILE)
        state["lm_head.bias"][1] = value
        stated = {METADATA_KEY: json.dumps(CONFIG.as_dict() | {"vocabulary": list(WORDS.words)})}
        safetensors.torch.save_file(state, folder / WEIGHTS_FILE, stated)

    return spoil


def writing(content: bytes) -> Callable[[Path], None]:
    """Put another kind of file in place of the weights."""

    def spoil(folder: Path) -> None:
        (folder / WEIGHTS_FILE).write_bytes(content)

    return spoil


def cut_short(folder: Path) -> None:
    """Leave half of the weights' file."""
    content = (folder / WEIGHTS_FILE).read_bytes()
    (folder / WEIGHTS_FILE).write_bytes(content[: len(content) // 2])


SWAPPED = ["喜欢", "我", "AI", "学习", "猫"]
SPOILT: dict[str, tuple[Callable[[Path], None], str]] = {
    **{
        name: (stating(**{name: value}), "checkpoint_config_differs")
        for name, value in (
            ("vocab_size", 6),
            ("context_length", 4),
            ("model_dim", 8),
            ("num_heads", 4),  # the shapes are the same, the numbers are not
            ("num_layers", 1),
        )
    },
    "order of words": (stating(vocabulary=SWAPPED), "checkpoint_words_differ"),
    "another word": (stating(vocabulary=["你", *WORDS.words[1:]]), "checkpoint_words_differ"),
    "a word too few": (stating(vocabulary=list(WORDS.words[1:])), "checkpoint_words_differ"),
    "no words": (stating(vocabulary="我喜欢"), "checkpoint_words_differ"),
    "a pickle": (writing(b"PK\x03\x04" + bytes(80)), "checkpoint_pickle"),
    "an ONNX file": (writing(b"\x08\x08" + bytes(80)), "checkpoint_onnx"),
    "half a file": (cut_short, "checkpoint_broken"),
    "NaN": (holding(torch.nan), "checkpoint_not_finite"),
    "infinity": (holding(-torch.inf), "checkpoint_not_finite"),
}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_takes_what_was_saved(reader: str, folder: Path) -> None:
    READERS[reader](folder)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("fault", SPOILT)
def test_every_reader_refuses_the_same(reader: str, fault: str, folder: Path) -> None:
    spoil, code = SPOILT[fault]
    spoil(folder)
    assert refusal(READERS[reader], folder) == code
    assert not list(folder.glob("out/*"))


@pytest.mark.parametrize("words", [["我"], ["我", "我", "AI", "学习", "猫"], [1, 2, 3, 4, 5], "我"])
def test_words_that_can_be_nobodys_are_refused(words: Any, folder: Path) -> None:
    state = safetensors.torch.load_file(folder / WEIGHTS_FILE)
    stated = json.dumps(CONFIG.as_dict() | {"vocabulary": words})
    safetensors.torch.save_file(state, folder / WEIGHTS_FILE, {METADATA_KEY: stated})
    stating(vocabulary=words)(folder)
    codes = {refusal(read, folder) for read in READERS.values()}
    assert codes <= {"words_count", "words", "checkpoint_config", "checkpoint_vocabulary"}
