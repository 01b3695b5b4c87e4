"""The generating forms, compared with `model.generate` word for word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from export.compare import Difference, compare
from export.forms.generate import COUNT_NAME, GENERATED_NAME
from export.forms.portable_decoder import NamedRun, PortableDecoder
from export.graph import INPUT_NAME
from export.precision import bounds, own_distance
from export.runtimes import Ids
from model.config import MiniGPTConfig
from model.generation import Generation, NextLogits, generate
from model.network import MiniGPT
from model.sampling import Floats

NEW_TOKENS = 12
"""More than any window here holds, so it slides and the cache becomes invalid."""

_ROWS = 25
BEGINNINGS_SEED = 1
LAST_LOGITS = "last_logits"


def beginnings(config: MiniGPTConfig) -> Iterator[Ids]:
    """Prompts to continue, [_ROWS, length] each: at most seven lengths, two beyond the context.

    Few shapes, because some engines compile for each; seeded.
    """
    draw = np.random.default_rng(BEGINNINGS_SEED)
    longest = config.context_length
    lengths = {1, 2, longest - 3, longest - 1, longest, longest + 1, longest + 3}
    for length in sorted(length for length in lengths if length > 0):
        yield draw.integers(0, config.vocab_size, (_ROWS, length))


def continued(model: MiniGPT, token_ids: Ids) -> Generation:
    """PyTorch's greedy continuation."""
    return generate(model, token_ids, NEW_TOKENS)


def logits_bound(model: MiniGPT, prompts: list[Ids], bound: float | None) -> float:
    """`bound`, or RELATIVE_FACTOR times PyTorch's float32 error on the windows it sees."""
    if bound is not None:
        return bound
    windows = [step.window for ids in prompts for step in continued(model, ids).steps]
    return bounds(own_distance(model, ("logits",), windows))["logits"]


def decode_differences(
    run: NamedRun, model: MiniGPT, token_ids: Ids, bound: float
) -> list[Difference]:
    """`continued_differences` of the portable `decode` form, run with its cache."""
    return continued_differences(PortableDecoder(run, model.config), model, token_ids, bound)


def continued_differences(
    next_logits: NextLogits, model: MiniGPT, token_ids: Ids, bound: float
) -> list[Difference]:
    """Of `last_logits`, step by step until the words diverge, then of the words (bound 0)."""
    expected = continued(model, token_ids)
    actual = generate(model, token_ids, NEW_TOKENS, next_logits=next_logits)
    differences: list[Difference] = []
    for ours, theirs in zip(expected.steps, actual.steps, strict=True):
        if not np.array_equal(ours.window, theirs.window):
            break
        differences += compare(_logits(ours.last_logits), _logits(theirs.last_logits), bound)
    return differences + _of_words(expected.token_ids, actual.token_ids)


def generate_differences(run: NamedRun, model: MiniGPT, token_ids: Ids) -> list[Difference]:
    """Of the words alone, the file's only output."""
    count = np.array(NEW_TOKENS, dtype=np.int64)
    actual = run({INPUT_NAME: token_ids, COUNT_NAME: count})[GENERATED_NAME]
    return _of_words(continued(model, token_ids).token_ids, actual)


def _logits(array: Floats) -> Mapping[str, Floats]:
    return {LAST_LOGITS: array}


def _of_words(expected: Ids, actual: Ids) -> list[Difference]:
    return compare({GENERATED_NAME: expected}, {GENERATED_NAME: actual}, 0.0)
