"""Whose weights are run, on which prompts, and how far an engine may be off."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch

from export.compare import ABSOLUTE_BOUND
from export.precision import bounds, own_distance
from export.runtimes import Ids
from export.shipped import compared_prompts
from model.network import MiniGPT
from model.teaching import teaching_model
from model.trained import trained_model

LARGEST_BATCH = 4096
TRACED = 256
"""Prompts of a length whose whole trace is compared."""


@dataclass(frozen=True)
class Subject:
    """One set of weights.

    every: up to so many prompts of a length, all are run; of more, so many seeded ones.
    bound: the largest difference allowed; None is a few times PyTorch's own from float64.
    shipped: whether its files are handed out; then the forms that write on are tried too.
    """

    name: str
    model: MiniGPT
    every: int
    bound: float | None
    shipped: bool


@cache
def subjects() -> tuple[Subject, ...]:
    """The lesson's weights, the learned ones, and the seeded random ones."""
    torch.manual_seed(0)
    random_model = MiniGPT(5, 8, 4, 2, 2, 0.1).eval()
    return (
        Subject("teaching", teaching_model(), LARGEST_BATCH, ABSOLUTE_BOUND, shipped=True),
        Subject("trained", trained_model(), LARGEST_BATCH, None, shipped=True),
        # 5 + 5^2 + … + 5^8: all 488,280 prompts.
        Subject("random", random_model, 5**8, ABSOLUTE_BOUND, shipped=False),
    )


def batches(subject: Subject) -> list[Ids]:
    """The prompts, at most LARGEST_BATCH at a time, the first batch of every length first.

    A slow engine stops in the middle; rows are shuffled (seeded), so that what it did not
    come to is like what it did.
    """
    draw = np.random.default_rng(0)
    first: list[Ids] = []
    later: list[Ids] = []
    config = subject.model.config
    for prompts in compared_prompts(config.vocab_size, config.context_length, subject.every):
        shuffled = draw.permutation(prompts)
        pieces = [shuffled[at : at + LARGEST_BATCH] for at in range(0, len(prompts), LARGEST_BATCH)]
        first.append(pieces[0])
        later += pieces[1:]
    return first + later


def traced_prompts(subject: Subject) -> list[Ids]:
    """All prompts of each length that has few, TRACED seeded ones of others."""
    config = subject.model.config
    return list(compared_prompts(config.vocab_size, config.context_length, TRACED))


def allowed(
    subject: Subject, names: tuple[str, ...], prompts: list[Ids]
) -> float | dict[str, float]:
    """The bound for `compare`."""
    if subject.bound is not None:
        return subject.bound
    return bounds(own_distance(subject.model, names, prompts))
