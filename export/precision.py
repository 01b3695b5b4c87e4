"""PyTorch's own float32 error against float64: the tolerance for arbitrary weights.

Trained weights may be large, and then two correct engines differ by more than on the lesson's.
They may differ by a few times PyTorch's own float32 error.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence

from export.compare import RELATIVE_FACTOR, absolute_distance
from export.runtimes import Ids, Runner
from export.runtimes.pytorch import pytorch_runner
from model.network import MiniGPT


def own_distance(model: MiniGPT, names: Sequence[str], prompts: Iterable[Ids]) -> dict[str, float]:
    """The largest |float32 - float64| of each named trace value over `prompts`.

    `model` is in evaluation mode; the float64 copy has the same weights.
    """
    single, double = (
        pytorch_runner(network, names) for network in (model, copy.deepcopy(model).double())
    )
    return runners_distance(single, double, prompts)


def runners_distance(single: Runner, double: Runner, prompts: Iterable[Ids]) -> dict[str, float]:
    """The largest |difference| of each value of two runners over `prompts`."""
    largest: dict[str, float] = {}
    for token_ids in prompts:
        exact = double(token_ids)
        for name, value in single(token_ids).items():
            distance = float(absolute_distance(exact[name], value).max(initial=0.0))
            largest[name] = max(largest.get(name, 0.0), distance)
    return largest


def bounds(own: Mapping[str, float]) -> dict[str, float]:
    """The bounds for `compare`: RELATIVE_FACTOR times PyTorch's error, value by value."""
    return {name: RELATIVE_FACTOR * distance for name, distance in own.items()}
