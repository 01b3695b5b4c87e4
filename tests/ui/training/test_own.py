"""People's own models: found by an unguessable id, bounded, apart from each other."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch

from model.config import MiniGPTConfig
from model.corpus import LESSON_CORPUS, read_corpus
from model.errors import InputError
from model.parameters import weights_of
from model.training import new_model
from model.vocabulary import LESSON_WORDS
from tests.ui.training.fakes import FakeSpare, spec
from ui.training import limits
from ui.training.jobs import Jobs
from ui.training.own import OwnModels, by_name

LESSON_TEXT = read_corpus(LESSON_CORPUS, LESSON_WORDS)
CONFIG = MiniGPTConfig(5, 2, 4, 2, 1, 0.1)
KEY = "0123456789abcdef" * 2


def flat(seed: int, config: MiniGPTConfig = CONFIG) -> np.ndarray:
    values = weights_of(new_model(config, seed)).values()
    return np.concatenate([value.ravel() for value in values])


def test_flat_weights_and_names() -> None:
    model = new_model(CONFIG, 3)
    for name, value in by_name(CONFIG, flat(3)).items():
        np.testing.assert_array_equal(value, model.state_dict()[name], err_msg=name)


def test_a_model_is_found_by_its_id_in_both_forms() -> None:
    own = OwnModels()
    entry = own.put(CONFIG, flat(3), LESSON_TEXT, KEY, 40).entry
    assert entry.id == f"own:{KEY}-40"
    assert own.get(entry.id).entry is entry
    model = new_model(CONFIG, 3).eval()
    token_ids = torch.tensor([[0, 1]])
    assert torch.equal(
        entry.load_torch().trace(token_ids)["logits"], model.trace(token_ids)["logits"]
    )
    assert not entry.load_torch().training
    np.testing.assert_array_equal(entry.weights()["lm_head.bias"], model.lm_head.bias.detach())


def test_what_is_kept_is_a_copy() -> None:
    own, weights = OwnModels(), flat(3)
    entry = own.put(CONFIG, weights, LESSON_TEXT, KEY, 1).entry
    weights[:] = 0
    assert entry.weights()["token_embedding.weight"].any()


def test_a_brought_model_gets_a_key_of_its_own() -> None:
    own = OwnModels()
    weights = by_name(CONFIG, flat(3))
    first, second = own.load(CONFIG, weights, LESSON_WORDS), own.load(CONFIG, weights, LESSON_WORDS)
    assert re.fullmatch("own:[0-9a-f]{32}", first.entry.id)
    assert first.entry.id != second.entry.id


@pytest.mark.parametrize(
    ("model_id", "code"),
    [
        (None, "own_none"),
        ("teaching", "own_none"),
        ("own:", "own_none"),
        (f"own:{KEY.upper()}", "own_none"),
        (f"own:{KEY}-", "own_none"),
        (f"own:{KEY}-1234567", "own_none"),
        (f"own:{KEY}\n", "own_none"),
        (f"own:{KEY}", "own_unknown"),
        (f"own:{KEY}-7", "own_unknown"),
        ("own:" + "0" * 32 + "-40", "own_unknown"),
    ],
)
def test_no_other_id_finds_anything(model_id: str, code: str) -> None:
    own = OwnModels()
    own.put(CONFIG, flat(3), LESSON_TEXT, KEY, 40)
    with pytest.raises(InputError) as caught:
        own.get(model_id)
    assert caught.value.code == code


def test_the_longest_unused_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "KEPT_MODELS", 2)
    own = OwnModels()
    ids = [own.put(CONFIG, flat(seed), LESSON_TEXT, KEY, seed).entry.id for seed in (1, 2)]
    own.get(ids[0])
    own.put(CONFIG, flat(3), LESSON_TEXT, KEY, 3)
    assert own.get(ids[0])
    with pytest.raises(InputError):
        own.get(ids[1])


def test_whoever_brings_many_models_pushes_out_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "KEPT_MODELS", 3)
    own = OwnModels()
    mine = own.put(CONFIG, flat(1), LESSON_TEXT, KEY, 1, "me").entry.id
    brought = [
        own.put(CONFIG, flat(2), LESSON_TEXT, KEY, step, "attacker").entry.id
        for step in range(2, 12)
    ]
    assert own.get(mine)
    assert own.get(brought[-1])
    with pytest.raises(InputError):
        own.get(brought[-3])


def test_earlier_steps_of_a_training_push_no_model_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "KEPT_MODELS", 1)
    own, spare = OwnModels(), FakeSpare()
    own.jobs = Jobs(lambda job, weights: None, spare)
    token = own.jobs.submit(spec()).id
    spare.taken[0].progresses(range(41), spec())
    kept = own.put(CONFIG, flat(3), LESSON_TEXT, KEY, 40).entry.id
    for step in range(40):
        looked = own.get(f"own:{token}-{step}").entry
        assert np.all(looked.weights()["lm_head.bias"] == step)
    assert own.get(f"own:{token}-39").entry is looked
    assert own.get(kept)
    with pytest.raises(InputError) as caught:
        own.get(f"own:{token}-41")
    assert caught.value.code == "training_step"


def test_nothing_of_a_model_is_written_to_the_disk() -> None:
    source = Path(__file__).parents[3] / "ui" / "training"
    for path in source.glob("*.py"):
        text = path.read_text("utf-8")
        assert "write_bytes" not in text
        assert "write_text" not in text
        assert "open(" not in text.replace("Popen(", "")
