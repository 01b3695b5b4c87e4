"""Files of a person's model: made in a process, handed out once they are proven."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from model.checkpoint import read_weights
from model.config import MiniGPTConfig
from model.parameters import weights_of
from model.training import new_model
from model.vocabulary import Vocabulary
from tests.ui.training.fakes import FakeSpare
from ui.training.files import ARCHIVE, Files, archive, weights_files
from ui.training.own import OwnModel, OwnModels

CONFIG = MiniGPTConfig(5, 2, 4, 2, 1, 0.1)
PROOF = {"prompts": 30, "max_abs": 1e-7, "name": "logits"}


@pytest.fixture
def own() -> OwnModel:
    return OwnModels().load(CONFIG, weights_of(new_model(CONFIG, 3)))


def test_weights_are_what_from_pretrained_takes(own: OwnModel) -> None:
    files = weights_files(own)
    sizes, weights = read_weights(files["model.safetensors"], vocabulary=Vocabulary())
    assert sizes == CONFIG
    for name, value in own.entry.weights().items():
        np.testing.assert_array_equal(weights[name], value)
    assert b'"dropout": 0.1' in files["config.json"]


def test_nothing_is_handed_out_before_the_proof(own: OwnModel) -> None:
    spare = FakeSpare()
    files = Files(spare)
    assert files.state(own) == {"state": "preparing", "files": [], "proof": None}
    process = spare.taken[0]
    assert process.header == {"kind": "files"}
    process.reports({"kind": "file", "name": "mini_gpt_own.onnx"}, b"onnx")
    assert files.state(own)["files"] == []
    process.reports({"kind": "end", "proof": PROOF})
    process.reports(None)
    state = files.state(own)
    assert (state["state"], state["proof"]) == ("ready", PROOF)
    names = [file["name"] for file in state["files"]]
    assert names == ["model.safetensors", "config.json", "mini_gpt_own.onnx", ARCHIVE]
    assert len(spare.taken) == 1


def test_files_that_do_not_agree_are_not_handed_out(own: OwnModel) -> None:
    spare = FakeSpare()
    files = Files(spare)
    files.state(own)
    spare.taken[0].reports({"kind": "file", "name": "mini_gpt_own.onnx"}, b"onnx")
    spare.taken[0].reports(None)  # the process ended with an AssertionError
    assert files.state(own) == {"state": "failed", "files": [], "proof": None}
    assert own.files == {}
    assert files.state(own)["state"] == "preparing"  # asked again, tried again
    assert len(spare.taken) == 2


def test_one_model_after_another() -> None:
    spare, store = FakeSpare(), OwnModels()
    files = Files(spare)
    first, second = (store.load(CONFIG, weights_of(new_model(CONFIG, seed))) for seed in (1, 2))
    files.state(first)
    files.state(second)
    files.state(second)
    assert len(spare.taken) == 1
    spare.taken[0].reports({"kind": "end", "proof": PROOF})
    spare.taken[0].reports(None)
    assert len(spare.taken) == 2
    assert spare.taken[1].content == weights_files(second)["model.safetensors"]


def test_the_archive_has_safe_names_and_the_same_bytes_every_time(own: OwnModel) -> None:
    files = weights_files(own)
    packed = archive(files)
    assert packed == archive(files)
    with zipfile.ZipFile(io.BytesIO(packed)) as opened:
        assert opened.namelist() == ["mini_gpt_own/model.safetensors", "mini_gpt_own/config.json"]
        for name, content in files.items():
            assert opened.read(f"mini_gpt_own/{name}") == content
