"""The history of a training: its loss curve, and the weights at kept steps."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.errors import InputError
from ui.training import limits

Weights = NDArray[np.float32]


def keep_every(steps: int, weights_bytes: int) -> int:
    """The interval, in steps, at which weights are kept so that they fit into KEPT_BYTES."""
    most = max(2, limits.KEPT_BYTES // weights_bytes)
    return max(1, math.ceil((steps + 1) / most))


@dataclass
class History:
    """points: [step, loss, gradient norm, loss over the corpus, probabilities], by step.

    If a resumed training reaches a step again, that step and all after it are replaced.
    """

    points: list[list[Any]] = field(default_factory=list)
    kept_steps: list[int] = field(default_factory=list)
    kept_weights: list[Weights] = field(default_factory=list)

    @property
    def step(self) -> int:
        """The last step reached; 0 before the first."""
        return int(self.points[-1][0]) if self.points else 0

    @property
    def nbytes(self) -> int:
        """The size of the kept weights."""
        return sum(weights.nbytes for weights in self.kept_weights)

    def add(self, points: list[list[Any]], kept: Sequence[int], content: bytes) -> None:
        """Append what a training process reports; `content` has the weights of steps `kept`."""
        if points:
            self.cut(points[0][0])
            self.points += points
        if kept:
            weights = np.frombuffer(content, np.float32).reshape(len(kept), -1)
            self.kept_steps += kept
            self.kept_weights += list(weights)

    def cut(self, step: int) -> None:
        """Drop `step` and everything after it."""
        del self.points[bisect_left(self.points, step, key=lambda point: point[0]) :]
        place = bisect_left(self.kept_steps, step)
        del self.kept_steps[place:], self.kept_weights[place:]

    def weights_at(self, step: int) -> Weights:
        """The weights after `step` updates.

        Raises:
            InputError: they were not kept.
        """
        place = bisect_left(self.kept_steps, step)
        if self.kept_steps[place : place + 1] != [step]:
            first, last = (self.kept_steps or [0])[0], (self.kept_steps or [0])[-1]
            raise InputError("training_step", step=step, first=first, last=last)
        return self.kept_weights[place]
