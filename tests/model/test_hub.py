"""`from_pretrained` and `save_pretrained` on a folder, without a network."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from huggingface_hub import HfApi

from model import MiniGPT
from model.config import MiniGPTConfig
from model.corpus import read_corpus
from model.errors import InputError
from model.model_files import load_folder, save_folder
from model.teaching import teaching_model
from model.trained import trained_model
from model.training import TrainingSettings, new_model, train
from model.vocabulary import LESSON_WORDS, Vocabulary
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE, described_config
from tests.environments import without_proxies

CONFIG = MiniGPTConfig(5, 8, 4, 2, 2, 0.1)


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


@pytest.fixture
def model() -> MiniGPT:
    return new_model(CONFIG, 1)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_saved_and_loaded_from_a_folder(model: MiniGPT, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    assert set(contents(tmp_path)) == {
        "LICENSE",
        "README.md",
        CONFIG_FILE,
        "generation_config.json",
        "genai_config.json",
        WEIGHTS_FILE,
        "onnx/model.onnx",
        "onnx/model_genai.onnx",
        "onnx/model_quantized.onnx",
    }
    loaded = MiniGPT.from_pretrained(tmp_path)
    assert isinstance(loaded, MiniGPT)
    assert loaded.config == CONFIG
    assert not loaded.training
    for name, value in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], value), name


def test_an_argument_overrides_what_the_folder_says(model: MiniGPT, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    assert MiniGPT.from_pretrained(str(tmp_path), dropout=0.5).config.dropout == 0.5


OTHER_FIVE = ("甲", "乙", "丙", "丁", "戊")
SEVEN = (*OTHER_FIVE, "Ab", "C++")


def stated_in(folder: Path) -> dict[str, Any]:
    stated: dict[str, Any] = json.loads((folder / CONFIG_FILE).read_text("utf-8"))
    return stated


def test_config_states_the_arguments_and_no_words_that_nobody_gave(
    model: MiniGPT, tmp_path: Path
) -> None:
    model.save_pretrained(tmp_path)
    stated = stated_in(tmp_path)
    assert described_config(stated) == CONFIG
    assert "vocabulary" not in stated
    assert not (tmp_path / "tokenizer.json").exists()
    assert MiniGPT.from_pretrained(tmp_path).vocabulary is None


@pytest.mark.parametrize("words", [OTHER_FIVE, SEVEN, LESSON_WORDS.words])
def test_a_model_keeps_its_own_words(words: tuple[str, ...], tmp_path: Path) -> None:
    model = MiniGPT(len(words), 2, 4, 2, 1)
    model.vocabulary = Vocabulary(words)
    model.save_pretrained(tmp_path / "first")
    loaded = MiniGPT.from_pretrained(tmp_path / "first")
    assert loaded.vocabulary == model.vocabulary
    loaded.save_pretrained(tmp_path / "again")
    save_folder(load_folder(tmp_path / "again"), tmp_path / "third")
    for folder in ("first", "again", "third"):
        assert stated_in(tmp_path / folder)["vocabulary"] == list(words)
    assert copy.deepcopy(loaded).vocabulary == model.vocabulary


def test_words_come_with_the_lessons_weights_and_with_a_corpus(tmp_path: Path) -> None:
    assert teaching_model().vocabulary == LESSON_WORDS
    assert trained_model().vocabulary == LESSON_WORDS
    model = MiniGPT(len(SEVEN), 2, 4, 2, 1)
    corpus = read_corpus("甲乙\n丙 AB", Vocabulary(SEVEN))
    list(train(model, corpus, TrainingSettings(steps=1)))
    model.save_pretrained(tmp_path)
    assert stated_in(tmp_path)["vocabulary"] == list(SEVEN)


def test_the_card_says_what_it_is(model: MiniGPT, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    card = (tmp_path / "README.md").read_text("utf-8")
    assert card.startswith("---\nlibrary_name: transformers\nlicense: mit\n")
    assert "from_pretrained" in card


def test_wrong_folders_are_explained(model: MiniGPT, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=CONFIG_FILE):
        MiniGPT.from_pretrained(tmp_path)
    for place in (tmp_path / "not there", "./not there", "~/mini-that-is-not-there", "我的模型"):
        with pytest.raises(InputError, match=str(place)) as caught:
            MiniGPT.from_pretrained(place)
        assert caught.value.code == "folder_missing"
    with pytest.raises(InputError, match="person/mini") as caught:
        MiniGPT.from_pretrained("person/mini", cache_dir=tmp_path / "cache")
    assert caught.value.code == "hub_missing"
    model.save_pretrained(tmp_path)
    with pytest.raises(InputError, match="num_layers=1") as caught:
        MiniGPT.from_pretrained(tmp_path, num_layers=1)
    assert caught.value.code == "hub_argument"
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


PROXIES = (
    {"all_proxy": "socks5://127.0.0.1:9"},
    pytest.param(
        {"https_proxy": "http://127.0.0.1:9"},
        marks=pytest.mark.long("the client asks a proxy that is not there again and again"),
    ),
    pytest.param({"https_proxy": "::bad"}, marks=pytest.mark.long("a process of its own")),
    pytest.param({"HF_HUB_OFFLINE": "1"}, marks=pytest.mark.long("a process of its own")),
)


@pytest.mark.parametrize("environment", PROXIES, ids=lambda given: next(iter(given.items())))
def test_a_hub_that_cannot_be_reached_is_a_sentence(environment: dict[str, str]) -> None:
    """In a process of its own: the library reads the variables once."""
    script = (
        "from model import MiniGPT\nfrom model.errors import InputError\n"
        "for call in (lambda: MiniGPT.from_pretrained('person/mini-that-is-not-there'),\n"
        "             lambda: MiniGPT(5, 8, 4, 2, 1).push_to_hub('person/mini'),\n"
        "             lambda: MiniGPT(5, 8, 4, 2, 1).push_to_hub('per son/mini')):\n"
        "    try: call()\n"
        "    except InputError as error: print(error.code)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[2],
        env={**without_proxies(), "HF_TOKEN": "", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["hub_missing", "hub_push", "hub_push"]


def test_a_folder_in_the_home_folder(
    model: MiniGPT, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    model.save_pretrained(tmp_path / "我的模型")
    assert MiniGPT.from_pretrained("~/我的模型").config == CONFIG


def test_a_refused_save_leaves_the_folder_as_it_was(model: MiniGPT, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(InputError):
        copy.deepcopy(model).double().save_pretrained(tmp_path)
    assert contents(tmp_path) == before


def test_pushed_is_what_is_saved(
    model: MiniGPT, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed: dict[str, bytes] = {}

    class Repository:
        repo_id = "person/mini"

    def upload(self: HfApi, *, folder_path: Path, repo_id: str, **options: object) -> str:
        assert repo_id == "person/mini"
        pushed.update(contents(Path(folder_path)))
        return "https://example.org"

    monkeypatch.setattr(HfApi, "create_repo", lambda self, **options: Repository())
    monkeypatch.setattr(HfApi, "upload_folder", upload)
    model.vocabulary = Vocabulary(OTHER_FIVE)
    model.push_to_hub("person/mini")
    assert json.loads(pushed[CONFIG_FILE])["vocabulary"] == list(OTHER_FIVE)
    model.save_pretrained(tmp_path)
    assert pushed == contents(tmp_path)
