"""Weights as files: round trips, and every wrong file explained with nothing touched."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from export.shipped import FILES, logits_file
from model.checkpoint import config_text
from model.config import MiniGPTConfig
from model.errors import InputError
from model.model_files import load_bytes, load_folder, save_folder, weights_bytes
from model.network import MiniGPT
from model.training import new_model
from model.vocabulary import LESSON_WORDS, Vocabulary
from model.weights_file import CONFIG_FILE, METADATA_KEY, WEIGHTS_FILE, read_header

WORDS = LESSON_WORDS
CONFIG = MiniGPTConfig(5, 8, 4, 2, 2, 0.1)


@pytest.fixture
def model() -> MiniGPT:
    return new_model(CONFIG, 3)


def same(left: MiniGPT, right: MiniGPT) -> bool:
    ours, theirs = left.state_dict(), right.state_dict()
    return list(ours) == list(theirs) and all(
        torch.equal(ours[name], theirs[name]) for name in ours
    )


def code_of(content: bytes, **given: Any) -> str:
    with pytest.raises(InputError) as caught:
        load_bytes(content, **given)
    return caught.value.code


def changed(model: MiniGPT, **tensors: torch.Tensor | None) -> bytes:
    """The file of `model` with tensors put in (`a__b` is `a.b`), or taken out by None."""
    state = dict(model.state_dict())
    for key, value in tensors.items():
        name = key.replace("__", ".")
        state.pop(name, None)
        if value is not None:
            state[name] = value
    stated = json.dumps(model.config.as_dict() | {"vocabulary": list(WORDS.words)})
    return safetensors.torch.save(state, {METADATA_KEY: stated})


def test_a_file_travels_alone(model: MiniGPT) -> None:
    loaded = load_bytes(weights_bytes(model, WORDS), vocabulary=WORDS)
    assert same(loaded, model)
    assert loaded.config == CONFIG
    assert not loaded.training


def test_the_same_weights_are_the_same_bytes(model: MiniGPT) -> None:
    """safetensors writes several metadata keys in an order that changes with every call."""
    contents = {weights_bytes(model, WORDS) for _ in range(20)}
    assert contents == {weights_bytes(load_bytes(weights_bytes(model, WORDS)), WORDS)}


def test_a_folder_and_back(model: MiniGPT, tmp_path: Path) -> None:
    save_folder(model, tmp_path / "new" / "folder", WORDS)
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == [
        CONFIG_FILE,
        WEIGHTS_FILE,
    ]
    assert same(load_folder(tmp_path / "new" / "folder", WORDS), model)


def test_a_plain_file_with_its_config_beside(model: MiniGPT) -> None:
    content = safetensors.torch.save(dict(model.state_dict()))
    assert code_of(content) == "checkpoint_no_config"
    assert same(load_bytes(content, config=CONFIG.as_dict()), model)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "checkpoint_format"),
        (b"hello", "checkpoint_format"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "checkpoint_format"),
        (b"<!doctype html><html></html>", "checkpoint_format"),
        (b'{"vocab_size": 5}', "checkpoint_json"),
        (b' \n{"vocab_size": 5}', "checkpoint_json"),
        (b"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00.", "checkpoint_pickle"),
        ((500).to_bytes(8, "little") + b'{"a": 1}', "checkpoint_broken"),
        ((8).to_bytes(8, "little") + b'{"a": ??', "checkpoint_broken"),
        ((8).to_bytes(8, "little") + b'{"a": 1}', "checkpoint_broken"),
        ((2**64 - 1).to_bytes(8, "little") + b"{}", "checkpoint_broken"),
        ((2).to_bytes(8, "little") + b"{}", "checkpoint_no_config"),
        ((100_000).to_bytes(8, "little") + b'{"a":' * 20_000, "checkpoint_broken"),
    ],
)
def test_what_is_not_safetensors(content: bytes, code: str) -> None:
    assert code_of(content) == code


def test_files_that_people_take_for_weights(model: MiniGPT, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    assert code_of(buffer.getvalue()) == "checkpoint_pickle"
    torch.save(model.state_dict(), old := io.BytesIO(), _use_new_zipfile_serialization=False)
    assert code_of(old.getvalue()) == "checkpoint_pickle"
    with zipfile.ZipFile(zipped := io.BytesIO(), "w") as archive:
        archive.writestr(WEIGHTS_FILE, weights_bytes(model))
    assert code_of(zipped.getvalue()) == "checkpoint_zip"
    assert code_of((FILES / logits_file("teaching")).read_bytes()) == "checkpoint_onnx"
    assert code_of(config_text(CONFIG, WORDS).encode()) == "checkpoint_json"


def test_every_cut_and_every_flipped_header_byte_is_explained(model: MiniGPT) -> None:
    content = weights_bytes(new_model(MiniGPTConfig(5, 2, 4, 2, 1), 0), WORDS)
    for length in range(0, len(content), 37):
        code_of(content[:length])
    for place in range(len(content) - 400):
        if place % 7 == 0:
            flipped = bytearray(content)
            flipped[place] ^= 0x15
            try:
                load_bytes(bytes(flipped), vocabulary=WORDS)
            except InputError:
                continue


def test_other_sizes(model: MiniGPT) -> None:
    content = weights_bytes(model, WORDS)
    assert code_of(content, config=CONFIG.as_dict() | {"model_dim": 8}) == (
        "checkpoint_config_differs"
    )
    wider = changed(model, lm_head__weight=torch.zeros(5, 8))
    with pytest.raises(InputError, match=r"lm_head.weight.*\[5, 8\].*\[5, 4\]"):
        load_bytes(wider)
    plain = safetensors.torch.save(dict(model.state_dict()))
    assert code_of(plain, config=CONFIG.as_dict() | {"model_dim": 8}) == "checkpoint_shape"
    assert code_of(plain, config=CONFIG.as_dict() | {"num_layers": 1}) == "checkpoint_names"
    assert code_of(plain, config=CONFIG.as_dict() | {"num_layers": 10**12}) == "checkpoint_names"
    assert code_of(plain, config=CONFIG.as_dict() | {"vocab_size": 10**12}) == "checkpoint_shape"


def test_names_that_are_missing_or_too_many(model: MiniGPT) -> None:
    with pytest.raises(InputError, match=r"missing lm_head.bias; not expected –"):
        load_bytes(changed(model, lm_head__bias=None))
    with pytest.raises(InputError, match=r"missing –; not expected mask"):
        load_bytes(changed(model, mask=torch.zeros(1)))


def test_values_that_are_no_weights(model: MiniGPT) -> None:
    assert code_of(changed(model, lm_head__bias=torch.zeros(5).half())) == "checkpoint_dtype"
    assert code_of(changed(model, lm_head__bias=torch.zeros(5).double())) == "checkpoint_dtype"
    assert code_of(changed(model, lm_head__bias=torch.full((5,), torch.nan))) == (
        "checkpoint_not_finite"
    )


def test_other_words(model: MiniGPT) -> None:
    other = Vocabulary(("你", "喜欢", "AI", "学习", "猫"))
    assert code_of(weights_bytes(model, other), vocabulary=WORDS) == "checkpoint_vocabulary"
    assert same(load_bytes(weights_bytes(model, other)), model)
    seven = new_model(MiniGPTConfig(7, 8, 4, 2, 2), 0)
    assert code_of(weights_bytes(seven), vocabulary=WORDS) == "checkpoint_vocab_size"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("not json", "checkpoint_config"),
        ("[1, 2]", "checkpoint_config"),
        ('{"vocab_size": 5}', "checkpoint_config"),
        ("[" * 100_000, "checkpoint_config"),
        (json.dumps(CONFIG.as_dict() | {"num_heads": 3}), "heads"),
        (json.dumps(CONFIG.as_dict() | {"num_layers": -1}), "size"),
        (json.dumps(CONFIG.as_dict() | {"dropout": 2}), "dropout"),
    ],
)
def test_a_config_that_is_wrong(model: MiniGPT, tmp_path: Path, text: str, code: str) -> None:
    save_folder(model, tmp_path)
    (tmp_path / CONFIG_FILE).write_text(text)
    with pytest.raises(InputError) as caught:
        load_folder(tmp_path)
    assert caught.value.code == code


@pytest.mark.parametrize("name", [CONFIG_FILE, WEIGHTS_FILE])
def test_a_folder_that_lacks_a_file(model: MiniGPT, tmp_path: Path, name: str) -> None:
    save_folder(model, tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(InputError, match=name):
        load_folder(tmp_path)


@pytest.mark.parametrize(
    "convert",
    [MiniGPT.bfloat16, MiniGPT.half, MiniGPT.double],
    ids=["bfloat16", "float16", "float64"],
)
def test_saving_says_no_to_other_precisions(
    model: MiniGPT, tmp_path: Path, convert: Callable[[MiniGPT], MiniGPT]
) -> None:
    save_folder(model, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for save in (lambda m: save_folder(m, tmp_path), lambda m: m.save_pretrained(tmp_path)):
        with pytest.raises(InputError, match=r"float\(\)") as caught:
            save(convert(copy.deepcopy(model)))
        assert caught.value.code == "weights_dtype"
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_saving_says_no_to_values_that_no_reader_takes(model: MiniGPT, tmp_path: Path) -> None:
    for value in (torch.nan, torch.inf):
        wrong = copy.deepcopy(model)
        with torch.no_grad():
            wrong.lm_head.bias[2] = value
        for save in (save_folder, MiniGPT.save_pretrained):
            with pytest.raises(InputError) as caught:
                save(wrong, tmp_path / "new")
            assert caught.value.code == "checkpoint_not_finite"
    assert not (tmp_path / "new").exists()


def test_saving_says_no_to_what_is_wrapped(model: MiniGPT, tmp_path: Path) -> None:
    compiled: Any = torch.compile(model, backend="eager")
    parallel: Any = torch.nn.DataParallel(model)
    for wrapped in (compiled, parallel):
        with pytest.raises(InputError, match=type(wrapped).__name__) as caught:
            save_folder(wrapped, tmp_path / "new")
        assert caught.value.code == "save_wrapped"
    compiled.save_pretrained(tmp_path / "inside")  # a method of the model inside
    assert same(MiniGPT.from_pretrained(tmp_path / "inside"), model)
    part: Any = copy.deepcopy(model)
    part.blocks[0] = torch.compile(part.blocks[0], backend="eager")
    with pytest.raises(InputError, match=r"_orig_mod") as caught:
        save_folder(part, tmp_path / "new")
    assert caught.value.code == "save_names"
    assert not (tmp_path / "new").exists()


def test_saving_says_no_to_a_model_without_values_and_to_a_quantized_one(
    model: MiniGPT, tmp_path: Path
) -> None:
    quantized: Any = copy.deepcopy(model)
    quantized.lm_head = Quantized()
    nowhere: Any = copy.deepcopy(model).to("meta")
    for wrong, code in ((quantized, "save_names"), (nowhere, "weights_nowhere")):
        for save in (save_folder, MiniGPT.save_pretrained):
            with pytest.raises(InputError) as caught:
                save(wrong, tmp_path / "new")
            assert caught.value.code == code
    assert not (tmp_path / "new").exists()


class Quantized(torch.nn.Module):
    """As torch's own quantized layers are: what it keeps is no tensor."""

    def get_extra_state(self) -> Any:
        return torch.qint8

    def set_extra_state(self, state: Any) -> None:
        raise NotImplementedError


def test_saving_says_no_to_words_that_are_too_many_or_too_few(tmp_path: Path) -> None:
    seven = new_model(MiniGPTConfig(7, 8, 4, 2, 2), 0)
    with pytest.raises(InputError) as caught:
        save_folder(seven, tmp_path / "new", WORDS)
    assert caught.value.code == "words_count"
    assert not (tmp_path / "new").exists()


def test_the_header_is_read_without_the_values(model: MiniGPT) -> None:
    header = read_header(weights_bytes(model, WORDS))
    assert header.shapes["lm_head.weight"] == (5, 4)
    assert set(header.dtypes.values()) == {"F32"}
    assert header.description == CONFIG.as_dict() | {"vocabulary": list(WORDS.words)}
