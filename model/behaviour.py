"""Everything a small model does: every prompt's next word, and where argmax leads from each.

With five words and two positions there are 30 prompts, so the whole behaviour fits on a page.
A longer context has too many (488,280 at eight positions), and so have more words; the table then
stops at a stated length, and beyond it prompts are drawn with a seed. The walk covers the windows
that are reachable from the short prompts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from model.generation import NextLogits
from model.sampling import Floats, softmax

MOST_PROMPTS = 1_000
MOST_VALUES = 20_000  # probabilities in the table of all prompts, and in that of the drawn ones
MOST_DRAWN = 100
MOST_WINDOWS = 5_000
"""A walk that has visited this many windows is cut short; `Walk.complete` is then False."""

Window = tuple[int, ...]


@dataclass(frozen=True)
class PromptRow:
    """The prediction after one prompt."""

    tokens: Window
    logits: Floats  # [vocab_size]
    probabilities: Floats  # [vocab_size]

    @property
    def next_id(self) -> int:
        """The argmax; the lowest id among equals."""
        return int(self.logits.argmax())


@dataclass(frozen=True)
class Walk:
    """Which window leads to which when the most probable word is always taken.

    follows: window -> (appended word, next window); a window at which the walk was cut is not
        a key.
    cycles: each a list of windows in the order of the walk, starting at the smallest.
    complete: whether every window that was reached has its successor.
    """

    follows: dict[Window, tuple[int, Window]]
    cycles: list[list[Window]]
    complete: bool


def most_prompts(vocab_size: int) -> int:
    """How many rows a table of all prompts may have."""
    return min(MOST_PROMPTS, MOST_VALUES // vocab_size)


def longest_listed(vocab_size: int, context_length: int) -> int:
    """The longest prompts whose table, with all shorter ones, has at most MOST_PROMPTS rows and
    MOST_VALUES probabilities; 0 if that of the prompts of one word has more."""
    length = prompts = 0
    most = most_prompts(vocab_size)
    while length < context_length and prompts + vocab_size ** (length + 1) <= most:
        length += 1
        prompts += vocab_size**length
    return length


def every_prompt(next_logits: NextLogits, vocab_size: int, longest: int) -> list[PromptRow]:
    """Every prompt of 1 to `longest` words, one batched run per length."""
    return [row for prompts in _prompts(vocab_size, longest) for row in _rows(next_logits, prompts)]


def drawn_prompts(
    next_logits: NextLogits, vocab_size: int, lengths: Sequence[int], seed: int
) -> list[PromptRow]:
    """At most MOST_DRAWN prompts of these lengths with at most MOST_VALUES probabilities in all.

    Length and words of each are drawn uniformly; the shortest come first.
    """
    draw = np.random.default_rng(seed)
    count = max(1, min(MOST_DRAWN, MOST_VALUES // vocab_size))
    counts = np.bincount(draw.choice(np.array(lengths), count), minlength=max(lengths) + 1)
    return [
        row
        for length in lengths
        if counts[length]
        for row in _rows(next_logits, draw.integers(0, vocab_size, (int(counts[length]), length)))
    ]


def argmax_walk(next_logits: NextLogits, starts: Sequence[Window], context_length: int) -> Walk:
    """Follow argmax from every window of `starts` until no new window is reached.

    Every window has one successor, so each walk ends in a cycle. Each round runs all new
    windows of one length as one batch.
    """
    follows: dict[Window, tuple[int, Window]] = {}
    fresh = sorted(set(starts))
    while fresh and len(follows) < MOST_WINDOWS:
        for length in sorted({len(window) for window in fresh}):
            batch = [window for window in fresh if len(window) == length]
            chosen = next_logits(np.array(batch, dtype=np.int64)).argmax(axis=-1)
            for window, word in zip(batch, chosen.tolist(), strict=True):
                follows[window] = (word, (*window, word)[-context_length:])
        fresh = sorted({after for _, after in follows.values()} - follows.keys())
    return Walk(follows, find_cycles(follows), complete=not fresh)


def find_cycles(follows: dict[Window, tuple[int, Window]]) -> list[list[Window]]:
    """The cycles of a map in which each window has at most one successor, smallest first."""
    settled: set[Window] = set()
    cycles: list[list[Window]] = []
    for start in sorted(follows):
        path: list[Window] = []
        seen: dict[Window, int] = {}
        at = start
        while at in follows and at not in settled and at not in seen:
            seen[at] = len(path)
            path.append(at)
            at = follows[at][1]
        if at in seen:
            cycles.append(_from_smallest(path[seen[at] :]))
        settled |= seen.keys()
    return sorted(cycles)


def steps_to_cycle(walk: Walk) -> dict[Window, tuple[int, int]]:
    """window -> (steps until the walk enters a cycle, 0 inside one; its index in `cycles`).

    A window whose walk was cut short has no entry.
    """
    found = {window: (0, place) for place, cycle in enumerate(walk.cycles) for window in cycle}
    for start in walk.follows:
        path = []
        at = start
        while at not in found and at in walk.follows:
            path.append(at)
            at = walk.follows[at][1]
        if at in found:
            steps, place = found[at]
            for back, window in enumerate(reversed(path), start=1):
                found[window] = (steps + back, place)
    return found


def _from_smallest(cycle: list[Window]) -> list[Window]:
    first = cycle.index(min(cycle))
    return cycle[first:] + cycle[:first]


def _rows(next_logits: NextLogits, prompts: NDArray[np.int64]) -> list[PromptRow]:
    logits = next_logits(prompts)
    probabilities = softmax(logits)
    return [
        PromptRow(tuple(tokens), row, shares)
        for tokens, row, shares in zip(prompts.tolist(), logits, probabilities, strict=True)
    ]


def _prompts(vocab_size: int, longest: int) -> Iterator[NDArray[np.int64]]:
    """All prompts of each length: [vocab_size ** length, length]."""
    for length in range(1, longest + 1):
        yield np.array(list(product(range(vocab_size), repeat=length)), dtype=np.int64)
