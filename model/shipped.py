"""The models that are shipped: the lesson's weights, weights learned on its words, and poems."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.corpus import LESSON_CORPUS
from model.parameters import Weights
from model.teaching import teaching_state
from model.trained import trained_model, trained_state

if TYPE_CHECKING:
    from model.network import MiniGPT

_POEMS_FILE = Path(__file__).parent / "recipes" / "poems.txt"
TEACHING, TRAINED, POEMS = "teaching", "trained", "poems"


@dataclass(frozen=True)
class ShippedModel:
    """A model, and a prompt for it.

    load: the network in evaluation mode, with its words; weights: by state_dict name, without
        torch; prompt: a text; lines: the beginning of what it was trained on, or is shown with.
    """

    load: Callable[[], MiniGPT]
    weights: Callable[[], Weights]
    prompt: str
    lines: tuple[str, ...] = tuple(LESSON_CORPUS.split("\n")[:2])


def _teaching() -> MiniGPT:
    from model.teaching import teaching_model  # torch

    return teaching_model()


def _trained(name: str) -> dict[str, Any]:
    return {
        "load": functools.partial(trained_model, name),
        "weights": functools.cache(functools.partial(trained_state, name)),
    }


SHIPPED = {
    TEACHING: ShippedModel(_teaching, teaching_state, "我 喜欢"),
    TRAINED: ShippedModel(**_trained(TRAINED), prompt="我 喜欢"),
    POEMS: ShippedModel(**_trained(POEMS), prompt="床前", lines=("床前明月光，", "疑是地上霜。")),
}
"""By name, in the order in which they are offered."""


def recited(name: str) -> tuple[str, ...]:
    """The texts that a shipped model writes from their first character; none for most."""
    if name != POEMS:
        return ()
    return tuple(_POEMS_FILE.read_text(encoding="utf-8").strip().split("\n\n"))
