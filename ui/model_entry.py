"""One set of weights as the page knows it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.config import SIZES, MiniGPTConfig
from model.parameters import Weights, weights_of
from model.vocabulary import LESSON_WORDS, Vocabulary

if TYPE_CHECKING:
    from model.network import MiniGPT

_BEGINNING = 2  # words


@dataclass(frozen=True)
class ModelEntry:
    """One set of weights: its vocabulary and sizes, and how each engine loads it.

    onnx_trace: the ONNX file (a path, or its bytes) whose outputs are the whole trace; None
        runs the graph that takes the weights as inputs.
    load_torch: the same network in PyTorch, in evaluation mode; called once, in any thread.
    load_weights: its weights in NumPy, for runners that take them as inputs; None reads them
        from `load_torch`.
    sentences: as ids, the beginning of what it was trained on; empty if that is not known.
    """

    id: str
    config: MiniGPTConfig
    vocabulary: Vocabulary
    onnx_trace: Path | bytes | None
    load_torch: Callable[[], MiniGPT]
    load_weights: Callable[[], Weights] | None = None
    sentences: tuple[tuple[int, ...], ...] = ()

    def weights(self) -> Weights:
        """Every parameter by state_dict name; do not modify in place."""
        return self.load_weights() if self.load_weights else weights_of(self.load_torch())

    @functools.cached_property
    def description(self) -> dict[str, Any]:
        """What the browser needs: id, words as they are shown, their unit, and sizes.

        With words of its own also the ids its text `begins` with, if that is known.
        """
        sizes = {name: getattr(self.config, name) for name in SIZES}
        begins = self.sentences[0][:_BEGINNING] if self.sentences else ()
        return {
            **({} if self.vocabulary == LESSON_WORDS else {"begins": list(begins)}),
            "id": self.id,
            "words": list(self.vocabulary.shown),
            "unit": self.vocabulary.unit,
            "config": sizes,
        }
