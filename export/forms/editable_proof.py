"""The proof of the editable form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import torch

from export.compare import Difference, compare
from export.precision import bounds, runners_distance
from export.runtimes import Ids, Runner
from export.runtimes.editable import session_runner
from export.runtimes.onnx_runtime import session_for
from export.runtimes.pytorch_editable import pytorch_editable_runner
from model.config import MiniGPTConfig
from model.parameters import Weights
from model.switches import ALL_ON, Switches, switch_names

PROOF_DROPOUT = Switches(dropout=0.5, dropout_seed=1)
_EVERY_PROMPT_UP_TO = 2  # words, if there are no more than _MOST_LISTED; others are sampled
_MOST_LISTED = 1_000
_SAMPLED = 64
_MEASURED = 4000
"""Full prompts on which PyTorch's float32 error is measured. Without a residual connection a
LayerNorm amplifies it on a few prompts: over 64 prompts the largest error was 1/28 of that over
2,000, and which engine met such a prompt was chance."""


def single_switches(config: MiniGPTConfig) -> dict[str, Switches]:
    """Each switch off by itself, and dropout, by the name it is reported under."""
    off = {f"without {name}": Switches(off=frozenset({name})) for name in switch_names(config)}
    return {**off, "with dropout": PROOF_DROPOUT}


def editable_differences(
    content: bytes,
    plain: Runner,
    config: MiniGPTConfig,
    weights: Weights,
    bound: float | None,
) -> tuple[int, list[Difference]]:
    """(number of prompts, differences) of the plain run and of the run with each switch off.

    The plain run is compared with `plain`, the trace file of the same weights in the same
    engine, and must equal it; a switched run is compared with PyTorch's within `bound`. The
    name of a difference states its case.

    bound: None means, in each case, RELATIVE_FACTOR times PyTorch's float32 error.
    """
    session = session_for(content)
    prompts = list(proof_prompts(config))
    measured = [*prompts, *_full_prompts(config, _MEASURED)]
    found: list[Difference] = []
    unswitched = session_runner(session, config, weights, ALL_ON)
    for token_ids in prompts:
        found += compare(plain(token_ids), unswitched(token_ids), 0.0)
    for case, switches in {"as it is": ALL_ON, **single_switches(config)}.items():
        expected = pytorch_editable_runner(config, weights, switches)
        actual = session_runner(session, config, weights, switches)
        allowed: float | dict[str, float]
        if bound is None:
            exact = pytorch_editable_runner(config, weights, switches, torch.float64)
            allowed = bounds(runners_distance(expected, exact, measured))
        else:
            allowed = bound
        for token_ids in prompts:
            found += _named(case, compare(expected(token_ids), actual(token_ids), allowed))
    return sum(map(len, prompts)), found


def proof_prompts(config: MiniGPTConfig) -> Iterator[Ids]:
    """Every prompt of one and two words, and seeded ones of the full length if it is longer.

    With many words those of two words are left to the sample.
    """
    lengths = _listed_lengths(config)
    for length in lengths:
        grid = np.indices((config.vocab_size,) * length).reshape(length, -1).T
        yield np.ascontiguousarray(grid, dtype=np.int64)
    if config.context_length > len(lengths):
        yield from _full_prompts(config, _SAMPLED)


def all_prompts_listed(config: MiniGPTConfig) -> int:
    """How many of the proof's prompts are not drawn: all those of some lengths."""
    return sum(config.vocab_size**length for length in _listed_lengths(config))


def _listed_lengths(config: MiniGPTConfig) -> list[int]:
    longest = min(_EVERY_PROMPT_UP_TO, config.context_length)
    return [length for length in range(1, longest + 1) if config.vocab_size**length <= _MOST_LISTED]


def _full_prompts(config: MiniGPTConfig, count: int) -> list[Ids]:
    draw = np.random.default_rng(0)
    return [draw.integers(0, config.vocab_size, (count, config.context_length))]


def _named(case: str, differences: list[Difference]) -> list[Difference]:
    return [replace(difference, name=f"{difference.name}, {case}") for difference in differences]
