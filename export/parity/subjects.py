"""Which weights are run, on which prompts, and the tolerance for engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import torch

from export.compare import ABSOLUTE_BOUND
from export.precision import bounds, own_distance
from export.runtimes import Arrays, Ids
from export.runtimes.pytorch import pytorch_runner
from export.shipped import compared_prompts
from model.network import MiniGPT
from model.shipped import SHIPPED, TEACHING, recited
from model.trace import trace_shapes

LARGEST_BATCH = 4096
TRACED = 256
"""Prompts per length whose whole trace is compared."""


@dataclass(frozen=True)
class Subject:
    """One set of weights.

    every: all prompts of a length are run if there are at most so many, else so many seeded
        ones.
    bound: the largest difference allowed; None means a few times PyTorch's float32 error.
    shipped: whether its files are shipped; then the generating forms are run too.
    texts: as ids, what it writes from their first word on, the most probable words.
    """

    name: str
    model: MiniGPT = field(hash=False)
    every: int
    bound: float | None
    shipped: bool
    texts: tuple[tuple[int, ...], ...] = ()


@cache
def subjects() -> tuple[Subject, ...]:
    """The shipped weights, and seeded random ones."""
    torch.manual_seed(0)
    random_model = MiniGPT(5, 8, 4, 2, 2, 0.1).eval()
    return (
        *(_shipped(name) for name in SHIPPED),
        # 5 + 5^2 + … + 5^8: all 488,280 prompts.
        Subject("random", random_model, 5**8, ABSOLUTE_BOUND, shipped=False),
    )


def _shipped(name: str) -> Subject:
    model = SHIPPED[name].load()
    assert model.vocabulary is not None  # shipped models have words
    bound = ABSOLUTE_BOUND if name == TEACHING else None
    texts = tuple(tuple(model.vocabulary.encode(text)) for text in recited(name))
    return Subject(name, model, LARGEST_BATCH, bound, True, texts)


@dataclass(frozen=True)
class Case:
    """Prompts, PyTorch's values for them, and the bound for `compare`."""

    prompts: tuple[Ids, ...]
    expected: tuple[Arrays, ...]
    bound: float | dict[str, float]


@cache
def every_prompt(subject: Subject) -> Case:
    """The logits of all prompts, LARGEST_BATCH at a time, the first batch of every length first.

    A slow engine is stopped early; rows are shuffled (seeded), so that the prompts it ran are a
    random sample. Computed once for all engines.
    """
    draw = np.random.default_rng(0)
    first: list[Ids] = []
    later: list[Ids] = []
    for prompts in _prompts(subject, subject.every):
        shuffled = draw.permutation(prompts)
        pieces = [shuffled[at : at + LARGEST_BATCH] for at in range(0, len(prompts), LARGEST_BATCH)]
        first.append(pieces[0])
        later += pieces[1:]
    return _case(subject, [*first, *later], ("logits",))


@cache
def traced_prompts(subject: Subject) -> Case:
    """The whole trace: of every prompt of a short length, of TRACED seeded ones of a longer one."""
    names = tuple(trace_shapes(subject.model.config.num_layers))
    return _case(subject, list(_prompts(subject, TRACED)), names)


def _prompts(subject: Subject, every: int) -> Iterator[Ids]:
    config = subject.model.config
    return compared_prompts(config.vocab_size, config.context_length, every)


def _case(subject: Subject, prompts: list[Ids], names: tuple[str, ...]) -> Case:
    reference = pytorch_runner(subject.model, names)
    expected = tuple(reference(token_ids) for token_ids in prompts)
    if subject.bound is not None:
        return Case(tuple(prompts), expected, subject.bound)
    return Case(tuple(prompts), expected, bounds(own_distance(subject.model, names, prompts)))
