"""The weights' names and shapes without torch are those of the network."""

from __future__ import annotations

import numpy as np
import pytest

from model import MiniGPT, MiniGPTConfig, teaching_model
from model.parameters import parameter_shapes, weights_of
from model.teaching import TEACHING_CONFIG, teaching_state


@pytest.mark.parametrize("config", [TEACHING_CONFIG, MiniGPTConfig(7, 8, 6, 3, 2)])
def test_names_order_and_shapes_are_the_state_dicts(config: MiniGPTConfig) -> None:
    state = MiniGPT(**config.as_dict()).state_dict()
    shapes = {name: tuple(values.shape) for name, values in state.items()}
    assert list(parameter_shapes(config).items()) == list(shapes.items())


def test_the_teaching_weights_are_the_same_with_and_without_torch() -> None:
    with_torch = weights_of(teaching_model())
    without = teaching_state()
    assert list(with_torch) == list(without)
    for name, values in without.items():
        assert values.dtype == np.float32
        np.testing.assert_array_equal(values, with_torch[name])


def test_weights_are_copies() -> None:
    model = teaching_model()
    weights_of(model)["lm_head.bias"][0] = 9
    assert model.lm_head.bias[0].item() == pytest.approx(-0.2)
