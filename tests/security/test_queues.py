"""One who asks for a hundred things, or who leaves, keeps nobody waiting for them."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from model.checkpoint import state_bytes
from model.config import MiniGPTConfig
from model.parameters import parameter_shapes
from tests.ui.panels.test_training_calls import spare
from tests.ui.training.fakes import FakeSpare, form
from ui.panels import training
from ui.session import enter_session
from ui.training import limits
from ui.views import view

__all__ = ["spare"]  # a fixture

UPLOADS = 100
SIZES = [
    MiniGPTConfig(5, context, model_dim, 1, num_layers)
    for context in range(1, 17)
    for model_dim in (3, 5)
    for num_layers in (1, 2, 3, 4)
][: UPLOADS + 1]


@pytest.fixture(autouse=True)
def no_session_is_left() -> Iterator[None]:
    yield
    enter_session({})


def uploaded(config: MiniGPTConfig, session: str) -> str:
    """Bring a model of these sizes; its id."""
    enter_session({"session_hash": session})
    zeros = {name: np.zeros(shape, np.float32) for name, shape in parameter_shapes(config).items()}
    content = base64.b64encode(state_bytes(config, zeros)).decode()
    answer = training.own_load({"content": content})
    return str(answer["model"]["id"])


def next_sizes(spare: FakeSpare) -> dict[str, Any]:
    """End what is being made; the sizes that are made then."""
    spare.taken[-1].reports({"kind": "graph"}, b"graph")
    spare.taken[-1].reports(None)
    return dict(spare.taken[-1].head["config"])


def test_after_a_hundred_uploads_the_next_person_s_is_made_next(spare: FakeSpare) -> None:
    for config in SIZES[:UPLOADS]:
        uploaded(config, "attacker")
    mine = uploaded(SIZES[UPLOADS], "me")
    asked = {"model": mine, "tokens": [0], "engine": "onnxruntime"}
    assert view(asked)["error"]["code"] == "onnx_preparing"
    assert spare.taken[0].head["config"] == SIZES[0].as_dict()
    next_sizes(spare)
    assert next_sizes(spare) == SIZES[UPLOADS].as_dict()


def test_uploads_of_a_hundred_that_left_are_not_waited_for(
    spare: FakeSpare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits.GRAPHS, "unasked_seconds", 0.1)
    for number, config in enumerate(SIZES[:UPLOADS]):
        uploaded(config, f"attacker {number}")
    time.sleep(0.15)
    uploaded(SIZES[UPLOADS], "me")
    assert next_sizes(spare) == SIZES[UPLOADS].as_dict()


def test_one_session_takes_few_of_the_training_places(spare: FakeSpare) -> None:
    enter_session({"session_hash": "attacker"})
    places = limits.TRAININGS.waiting + limits.TRAININGS.at_once
    answers = [training.training_start({"task": form()}) for _ in range(places)]
    refused = [answer["error"]["code"] for answer in answers if "error" in answer]
    assert refused == ["queue_yours"] * (places - limits.TRAININGS.each)
    enter_session({"session_hash": "me"})
    assert training.training_start({"task": form()})["place"] == 2
