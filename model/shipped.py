"""The models that are shipped: the lesson's weights, weights learned on its words, and poems."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.parameters import Weights
from model.teaching import teaching_state
from model.trained import trained_model, trained_state

if TYPE_CHECKING:
    from model.network import MiniGPT

TEACHING, TRAINED, POEMS = "teaching", "trained", "poems"


@dataclass(frozen=True)
class ShippedModel:
    """A model, and a prompt for it.

    load: the network in evaluation mode, with its words; weights: by state_dict name, without
        torch; prompt: a text.
    """

    load: Callable[[], MiniGPT]
    weights: Callable[[], Weights]
    prompt: str


def _teaching() -> MiniGPT:
    from model.teaching import teaching_model  # torch

    return teaching_model()


def _trained(name: str, prompt: str) -> ShippedModel:
    return ShippedModel(
        functools.partial(trained_model, name),
        functools.cache(functools.partial(trained_state, name)),
        prompt,
    )


SHIPPED = {
    TEACHING: ShippedModel(_teaching, teaching_state, "我 喜欢"),
    TRAINED: _trained(TRAINED, "我 喜欢"),
    POEMS: _trained(POEMS, "床前"),
}
"""By name, in the order in which they are offered."""
