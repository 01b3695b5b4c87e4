"""The tree of all continuations of a prompt, with their probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.generation import NextLogits, window_of
from model.sampling import SamplingSettings, check_count, sampling_steps

LONGEST_DEPTH = 4
MOST_LEAVES = 1_000  # five words to depth 4 are 625


@dataclass(frozen=True)
class TreeLevel:
    """All continuations of one depth whose probability is above 0.

    words: [nodes, depth], the words appended. share: [nodes], the probability of exactly these
    words, so a level sums to 1. parent: [nodes], the row in the level before.
    """

    words: NDArray[np.int64]
    share: NDArray[np.float64]
    step: NDArray[np.float64]  # [nodes], probability of the last word given those before it
    parent: NDArray[np.int64]


def deepest(vocab_size: int) -> int:
    """How many words deep the tree goes within LONGEST_DEPTH and MOST_LEAVES."""
    depth = 1
    while depth < LONGEST_DEPTH and vocab_size ** (depth + 1) <= MOST_LEAVES:
        depth += 1
    return depth


def continuation_tree(
    next_logits: NextLogits,
    token_ids: list[int],
    context_length: int,
    settings: SamplingSettings,
    depth: int,
) -> list[TreeLevel]:
    """The levels 1 to `depth` below `token_ids`, one batched run per level.

    The probabilities are those that sampling uses (temperature, top_k and top_p included); a
    word with probability 0 has no node.

    Raises:
        InputError: depth is not 1 to LONGEST_DEPTH, or the logits are not finite.
    """
    check_count(depth, 1, LONGEST_DEPTH)
    ids = np.array([token_ids], dtype=np.int64)
    level = TreeLevel(ids[:, :0], np.ones(1), np.ones(1), np.zeros(1, dtype=np.int64))
    levels: list[TreeLevel] = []
    for _ in range(depth):
        sentences = np.concatenate([np.repeat(ids, len(level.words), 0), level.words], axis=1)
        logits = next_logits(np.ascontiguousarray(window_of(sentences, context_length)))
        level = _below(level, sampling_steps(logits, settings).probabilities)
        levels.append(level)
    return levels


def _below(level: TreeLevel, probabilities: NDArray[np.floating[Any]]) -> TreeLevel:
    """The level after `level`, with next-word `probabilities` [nodes, vocab_size] of its nodes."""
    parent, word = np.nonzero(probabilities > 0)
    step = np.asarray(probabilities[parent, word], dtype=np.float64)
    words = np.concatenate([level.words[parent], word[:, None]], axis=1)
    return TreeLevel(words, level.share[parent] * step, step, parent)
