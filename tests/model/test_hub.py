"""`from_pretrained` and `save_pretrained` on a folder, without a network."""

from __future__ import annotations

import copy
import inspect
import json
from pathlib import Path

import pytest
import torch
from huggingface_hub import HfApi, PyTorchModelHubMixin

from model import MiniGPT
from model.config import MiniGPTConfig
from model.errors import InputError
from model.training import new_model
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE

CONFIG = MiniGPTConfig(5, 8, 4, 2, 2, 0.1)


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


@pytest.fixture
def model() -> MiniGPT:
    return new_model(CONFIG, 1)


def test_saved_and_loaded_from_a_folder(model: MiniGPT, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "README.md",
        CONFIG_FILE,
        WEIGHTS_FILE,
    ]
    loaded = MiniGPT.from_pretrained(tmp_path)
    assert isinstance(loaded, MiniGPT)
    assert loaded.config == CONFIG
    assert not loaded.training
    for name, value in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], value), name


def test_an_argument_overrides_what_the_folder_says(model: MiniGPT, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    assert MiniGPT.from_pretrained(str(tmp_path), dropout=0.5).config.dropout == 0.5


def test_config_states_the_arguments_and_the_words(model: MiniGPT, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    stated = json.loads((tmp_path / CONFIG_FILE).read_text("utf-8"))
    assert stated.pop("vocabulary") == ["我", "喜欢", "AI", "学习", "猫"]
    assert stated == CONFIG.as_dict()
    MiniGPT(7, 2, 4, 2, 1).save_pretrained(tmp_path / "seven")
    seven = json.loads((tmp_path / "seven" / CONFIG_FILE).read_text("utf-8"))
    assert "vocabulary" not in seven


def test_the_card_says_what_it_is(model: MiniGPT, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    card = (tmp_path / "README.md").read_text("utf-8")
    assert card.startswith("---\nlibrary_name: mini-gpt\nlicense: mit\n")
    assert "from_pretrained" in card


def test_wrong_folders_are_explained(model: MiniGPT, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=CONFIG_FILE):
        MiniGPT.from_pretrained(tmp_path)
    with pytest.raises(InputError, match=CONFIG_FILE):
        MiniGPT.from_pretrained(tmp_path / "not there")
    with pytest.raises(InputError, match=CONFIG_FILE):
        MiniGPT.from_pretrained("./not there")
    model.save_pretrained(tmp_path)
    with pytest.raises(InputError) as caught:
        MiniGPT.from_pretrained(tmp_path, num_layers=1)
    assert caught.value.code == "checkpoint_names"
    (tmp_path / WEIGHTS_FILE).write_bytes(b"PK\x03\x04 a pickle in a zip")
    with pytest.raises(InputError) as caught:
        MiniGPT.from_pretrained(tmp_path)
    assert caught.value.code == "checkpoint_pickle"
    (tmp_path / WEIGHTS_FILE).unlink()
    with pytest.raises(InputError, match=WEIGHTS_FILE):
        MiniGPT.from_pretrained(tmp_path)
    (tmp_path / CONFIG_FILE).write_text("{")
    with pytest.raises(InputError) as caught:
        MiniGPT.from_pretrained(tmp_path)
    assert caught.value.code == "checkpoint_config"


def test_pushed_is_what_is_saved(
    model: MiniGPT, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed: dict[str, bytes] = {}

    class Repository:
        repo_id = "person/mini"

    def upload(self: HfApi, *, folder_path: Path, repo_id: str, **options: object) -> str:
        assert repo_id == "person/mini"
        pushed.update({path.name: path.read_bytes() for path in Path(folder_path).iterdir()})
        return "https://example.org"

    monkeypatch.setattr(HfApi, "create_repo", lambda self, **options: Repository())
    monkeypatch.setattr(HfApi, "upload_folder", upload)
    model.push_to_hub("person/mini")
    model.save_pretrained(tmp_path)
    assert pushed == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


def test_the_mixin_changes_nothing_of_the_network(model: MiniGPT) -> None:
    assert issubclass(MiniGPT, PyTorchModelHubMixin)
    names = list(inspect.signature(MiniGPT.__init__).parameters)[1:]
    assert names == list(CONFIG.as_dict())
    assert len(model.state_dict()) == 26
    by_place = MiniGPT(5, 8, 4, 2, 2)
    assert by_place.config == MiniGPT(**CONFIG.as_dict() | {"dropout": 0.0}).config
    assert copy.deepcopy(model).config == CONFIG
