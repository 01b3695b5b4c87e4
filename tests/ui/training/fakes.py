"""Processes that do nothing by themselves: a test says what they report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from export.workers.wire import Head
from model.corpus import LESSON_CORPUS
from model.parameters import parameter_shapes
from ui.training.process import Listener, Spare, WorkerProcess
from ui.training.spec import TrainingSpec, read_spec

FORM: dict[str, Any] = {
    "corpus": LESSON_CORPUS,
    "start": "random",
    "steps": 40,
    "learning_rate": 0.01,
    "seed": 0,
    "watched": [[0, 1], [4, 1]],
    "model": {
        "num_layers": 1,
        "num_heads": 2,
        "model_dim": 4,
        "context_length": 2,
        "dropout": 0.1,
    },
}


def form(**changes: Any) -> dict[str, Any]:
    """The form of a small training, with changes; sizes by name too."""
    sizes = {name: changes.pop(name) for name in FORM["model"] if name in changes}
    return {**FORM, **changes, "model": {**FORM["model"], **sizes}}


def spec(**changes: Any) -> TrainingSpec:
    """The checked spec of `form`."""
    return read_spec(form(**changes))


def weights_count(of: TrainingSpec) -> int:
    """How many numbers its network has."""
    return sum(int(np.prod(shape)) for shape in parameter_shapes(of.config).values())


class FakeProcess(WorkerProcess):
    """Notes what it is told; `reports` plays its part."""

    def __init__(self) -> None:
        self.head: Head = {}
        self.content = b""
        self.stopped = self.ended = False
        self._listener: Listener | None = None

    def run(self, head: Head, content: bytes, listener: Listener) -> None:
        self.head, self.content, self._listener = head, content, listener

    def stop(self) -> None:
        self.stopped = True

    def kill(self) -> None:
        self.ended = True

    def discard(self) -> None:
        self.ended = True

    def alive(self) -> bool:
        return not self.ended

    def reports(self, head: Head | None, content: bytes = b"") -> None:
        assert self._listener is not None
        self._listener(head, content)

    def progresses(self, steps: range, of: TrainingSpec) -> None:
        """Points of `steps`, every one with its weights: all of them the step's number."""
        points = [[step, 1.0, 0.5, None, None] for step in steps]
        weights = np.repeat(np.array(steps, np.float32), weights_count(of))
        self.reports({"kind": "progress", "points": points, "kept": list(steps)}, weights.tobytes())

    def finishes(self, step: int, of: TrainingSpec, error: Head | None = None) -> None:
        """Says that it is done, and ends."""
        weights = np.full(weights_count(of), step, np.float32)
        self.reports({"kind": "end", "error": error or {}}, weights.tobytes())
        self.reports(None)


@dataclass
class FakeSpare(Spare):
    """Hands out fake processes and keeps them; with `fails` it cannot start any."""

    taken: list[FakeProcess] = field(default_factory=list)
    fails: Exception | None = None

    def take(self) -> FakeProcess:
        if self.fails is not None:
            raise self.fails
        self.taken.append(FakeProcess())
        return self.taken[-1]

    def warm_up(self) -> None:
        return

    def end(self) -> None:
        return
