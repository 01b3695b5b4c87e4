"""Weights as large as float32 can hold: every function answers for a model that has them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.checkpoint import state_bytes
from model.teaching import TEACHING_CONFIG, teaching_state
from tests.fuzz.calls import check_call
from tests.fuzz.requests import requests
from ui import torch_loading
from ui.page import server_functions
from ui.panels.training import own_load

LARGEST = 3e38
PER_FUNCTION = 12
FUNCTIONS = [
    function for function in server_functions() if not function.__name__.startswith("training_")
]


@pytest.fixture(scope="module")
def models() -> list[str]:
    """The ids of models with huge numbers: everywhere, of both signs, in one parameter alone."""
    torch_loading.wait()
    shapes = {name: value.shape for name, value in teaching_state().items()}
    draw = np.random.default_rng(0)
    huge = {name: np.full(shape, LARGEST, np.float32) for name, shape in shapes.items()}
    signs = {name: value * draw.choice([-1, 1], value.shape) for name, value in huge.items()}
    alone = [{**teaching_state(), name: value} for name, value in huge.items()]
    return [_loaded(each) for each in (huge, signs, *alone)]


def _loaded(weights: dict[str, Any]) -> str:
    content = state_bytes(TEACHING_CONFIG, {n: v.astype(np.float32) for n, v in weights.items()})
    answer = own_load({"content": base64.b64encode(content).decode()})
    return str(answer["model"]["id"])


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_function_answers_for_weights_that_overflow(
    function: Callable[..., Any], models: list[str]
) -> None:
    for model in models:
        check_call(function, {"tokens": [0, 1], "model": model, "engine": "torch"})
        check_call(function, {"tokens": [0, 1], "model": model, "engine": "onnxruntime"})

    @settings(
        max_examples=PER_FUNCTION,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    @given(requests.filter(lambda request: isinstance(request, dict)), st.sampled_from(models))
    def cases(request: dict[str, Any], model: str) -> None:
        check_call(function, {**request, "model": model})

    cases()
