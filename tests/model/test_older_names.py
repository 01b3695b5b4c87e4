"""What was saved before the FFN's layers were numbered still loads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from export.decode_ort.own_model import StoredWeights
from model import MiniGPT
from model.edits import check_edits
from model.errors import InputError
from model.model_files import load_bytes, load_folder
from model.older_names import current_name
from model.parameters import parameter_shapes
from model.teaching import TEACHING_CONFIG
from model.trained import trained_folder, trained_state
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE, read_description

OLDER = {"ffn.0.": "ffn.expand.", "ffn.2.": "ffn.contract."}


def older(name: str) -> str:
    for current, before in OLDER.items():
        name = name.replace(current, before)
    return name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The learned weights as they were saved then."""
    content = {older(name): values for name, values in trained_state().items()}
    assert sum("ffn.expand" in name or "ffn.contract" in name for name in content) == 8
    with safetensors.safe_open(trained_folder() / WEIGHTS_FILE, framework="np") as now:
        metadata = now.metadata()
    (tmp_path / WEIGHTS_FILE).write_bytes(safetensors.numpy.save(content, metadata))
    shutil.copy(trained_folder() / CONFIG_FILE, tmp_path)
    return tmp_path


def stored(folder: Path) -> dict[str, Any]:
    description = read_description((folder / CONFIG_FILE).read_bytes())
    return dict(StoredWeights(folder / WEIGHTS_FILE, description))


def of_model(model: MiniGPT) -> dict[str, Any]:
    return {name: values.numpy() for name, values in model.state_dict().items()}


READERS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "load_folder": lambda folder: of_model(load_folder(folder)),
    "load_bytes": lambda folder: of_model(load_bytes((folder / WEIGHTS_FILE).read_bytes())),
    "from_pretrained": lambda folder: of_model(MiniGPT.from_pretrained(folder)),
    "export --model": stored,
}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_takes_the_older_names(reader: str, folder: Path) -> None:
    met = READERS[reader](folder)
    expected = trained_state()
    assert set(met) == set(expected)
    for name, values in expected.items():
        np.testing.assert_array_equal(met[name], values, err_msg=name)


def test_a_weight_under_both_names_is_refused(folder: Path) -> None:
    content = safetensors.numpy.load_file(folder / WEIGHTS_FILE)
    content["blocks.0.ffn.0.bias"] = content["blocks.0.ffn.expand.bias"]
    description = json.loads((folder / CONFIG_FILE).read_text("utf-8"))
    with pytest.raises(InputError, match=r"ffn\.expand\.bias"):
        load_bytes(safetensors.numpy.save(content), config=description)


def test_an_edit_of_an_older_link_is_an_edit_of_today() -> None:
    shapes = parameter_shapes(TEACHING_CONFIG)
    given = {"blocks.0.ffn.contract.bias": {"2": 1}, "lm_head.bias": {"0": 0.5}}
    assert check_edits(given, shapes) == {
        "blocks.0.ffn.2.bias": {"2": 1.0},
        "lm_head.bias": {"0": 0.5},
    }
    with pytest.raises(InputError, match=r"blocks\.0\.ffn\.expand"):
        check_edits({"blocks.0.ffn.expand": {"0": 1}}, shapes)


def test_other_names_stay_as_they_are() -> None:
    for name in (*parameter_shapes(TEACHING_CONFIG), "ffn.expand", "expand.ffn.0"):
        assert current_name(name) == name
