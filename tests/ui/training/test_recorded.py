"""The recorded run of the training panel is a run of the recipe, and can only be looked at."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from model.config import MiniGPTConfig
from model.corpus import windows_of
from model.errors import InputError
from model.network import MiniGPT
from model.training import look
from tools.record_training import EVERY, recipe, record
from ui.panels.training import training_recorded
from ui.training.jobs import RECORDED_ID
from ui.training.own import by_name
from ui.training.recorded import FILE, recorded_history, recorded_job, recorded_spec
from ui.training.service import Service

AGAIN = 50  # steps run again; processors round differently, and the difference grows


@pytest.fixture(scope="module")
def again() -> dict[str, np.ndarray]:
    return record(recipe(), AGAIN)


def test_the_first_steps_run_again_are_those_recorded(again: dict[str, np.ndarray]) -> None:
    kept = load_file(FILE)
    assert set(kept) == set(again)
    for name, values in again.items():
        recorded = kept[name][: len(values)]
        np.testing.assert_allclose(values, recorded, rtol=2e-3, atol=2e-4, err_msg=name)
    np.testing.assert_array_equal(again["weights"][0], kept["weights"][0])  # before any step
    assert len(again["steps"]) == AGAIN // EVERY + 1


def test_every_kept_step_has_the_weights_of_its_numbers() -> None:
    spec, history = recorded_spec(), recorded_history()
    looks = {point[0]: point[3:] for point in history.points if point[3] is not None}
    assert list(looks) == history.kept_steps == list(range(0, 2001, 50))
    for step in history.kept_steps[::10]:
        network = _network(spec.config, history.weights_at(step))
        seen = look(network, windows_of(spec.corpus, spec.config.context_length), spec.watched)
        loss, probabilities = looks[step]
        assert seen.corpus_loss == pytest.approx(loss, abs=1e-5)
        np.testing.assert_allclose(seen.probabilities, probabilities, atol=1e-5)


def test_it_is_the_recipe_and_the_steps_are_whole() -> None:
    written, spec = recipe(), recorded_spec()
    assert (written.config, written.settings) == (spec.config, spec.settings)
    assert written.corpus == spec.corpus
    assert [point[0] for point in recorded_history().points] == list(range(0, 2001, EVERY))


def test_it_is_told_and_cannot_be_changed() -> None:
    answer = training_recorded({})
    assert answer["status"] == "recorded"
    assert (answer["id"], answer["step"], answer["steps"]) == (RECORDED_ID, 2000, 2000)
    assert recorded_job().keys.key not in str(answer)
    jobs = Service().jobs
    for change in (jobs.stop, jobs.resume, jobs.rewind):
        with pytest.raises(InputError) as caught:
            change(RECORDED_ID, None)
        assert caught.value.code == "training_look_only"


def test_its_steps_are_models_of_the_page() -> None:
    entry = Service().own.get(f"own:{RECORDED_ID}-1000").entry
    assert entry.config == recorded_spec().config
    with pytest.raises(InputError):
        Service().own.get(f"own:{RECORDED_ID}-1001")


def _network(config: MiniGPTConfig, flat: np.ndarray) -> MiniGPT:
    network = MiniGPT(**config.as_dict())
    state = {name: torch.tensor(values) for name, values in by_name(config, flat).items()}
    network.load_state_dict(state)
    return network.eval()
