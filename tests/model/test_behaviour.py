"""The whole behaviour: all 30 prompts, and cycles checked by walking until a window repeats."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from export.runtimes.onnx_runtime import onnxruntime_runner
from export.runtimes.pytorch import pytorch_runner
from model import teaching_model
from model.behaviour import (
    MOST_DRAWN,
    MOST_PROMPTS,
    MOST_VALUES,
    MOST_WINDOWS,
    Window,
    argmax_walk,
    drawn_prompts,
    every_prompt,
    find_cycles,
    longest_listed,
)
from model.generation import Ids, NextLogits
from model.sampling import Floats
from ui.shipped_models import FILES


@pytest.fixture(scope="module")
def next_logits() -> NextLogits:
    run = onnxruntime_runner(FILES / "mini_gpt_teaching.onnx")
    return lambda window: run(window)["logits"][:, -1]


def scrambled(seed: int, context_length: int, vocab_size: int = 5) -> NextLogits:
    """Logits that depend on the whole window and on nothing else: a model without a model."""
    places = np.random.default_rng(seed).integers(1, 10_000, context_length)

    def run(window: Ids) -> Floats:
        key = (window * places[: window.shape[1]]).sum(axis=-1) + 31 * window.shape[1]
        return np.asarray(np.eye(vocab_size)[(key * 7919 % 104_729) % vocab_size])

    return run


def cycle_by_walking(next_logits: NextLogits, start: Window, context_length: int) -> set[Window]:
    """Walk from `start` for longer than there are windows, then collect until it repeats."""
    at = start
    for _ in range(5**context_length + context_length):
        at = step(next_logits, at, context_length)
    cycle = {at}
    while (at := step(next_logits, at, context_length)) not in cycle:
        cycle.add(at)
    return cycle


def step(next_logits: NextLogits, window: Window, context_length: int) -> Window:
    word = int(next_logits(np.array([window]))[0].argmax())
    return (*window, word)[-context_length:]


def test_every_one_of_the_30_prompts_is_there_with_its_probabilities(
    next_logits: NextLogits,
) -> None:
    rows = every_prompt(next_logits, 5, 2)
    assert [row.tokens for row in rows] == [
        tuple(tokens) for length in (1, 2) for tokens in product(range(5), repeat=length)
    ]
    torch_run = pytorch_runner(teaching_model(), ("vocabulary_probs",))
    for row in rows:
        expected = torch_run(np.array([row.tokens]))["vocabulary_probs"][0, -1]
        np.testing.assert_allclose(row.probabilities, expected, rtol=0, atol=5e-6)
        assert row.next_id == int(expected.argmax())


def test_the_lessons_cycle(next_logits: NextLogits) -> None:
    starts = [row.tokens for row in every_prompt(next_logits, 5, 2)]
    walk = argmax_walk(next_logits, starts, 2)
    assert walk.complete
    assert len(walk.follows) == 30
    assert walk.follows[(0, 1)] == (3, (1, 3))  # 我 喜欢 -> 学习
    assert walk.cycles == [[(1, 3), (3, 1)]]
    for start in starts:
        assert cycle_by_walking(next_logits, start, 2) in [set(cycle) for cycle in walk.cycles]


@pytest.mark.parametrize("seed", range(8))
def test_cycles_by_brute_force(seed: int) -> None:
    run = scrambled(seed, 2)
    starts = [tokens for length in (1, 2) for tokens in product(range(5), repeat=length)]
    walk = argmax_walk(run, starts, 2)
    by_walking = {frozenset(cycle_by_walking(run, start, 2)) for start in starts}
    assert {frozenset(cycle) for cycle in walk.cycles} == by_walking
    for cycle in walk.cycles:
        assert cycle[0] == min(cycle)
        for window, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            assert step(run, window, 2) == after


def test_a_longer_context_is_followed_as_far_as_it_leads() -> None:
    run = scrambled(1, 4)
    starts: list[Window] = [(word,) for word in range(5)]
    walk = argmax_walk(run, starts, 4)
    assert walk.complete
    assert set(starts) <= walk.follows.keys()
    assert {after for _, after in walk.follows.values()} <= walk.follows.keys()
    by_walking = {frozenset(cycle_by_walking(run, start, 4)) for start in starts}
    assert {frozenset(cycle) for cycle in walk.cycles} == by_walking


def test_a_walk_that_meets_too_many_windows_says_so() -> None:
    starts = list(product(range(5), repeat=6))[:MOST_WINDOWS]
    walk = argmax_walk(scrambled(0, 9), starts, 9)
    assert len(walk.follows) == MOST_WINDOWS
    assert not walk.complete
    assert walk.cycles == []


def test_two_cycles_and_a_tail() -> None:
    a, b, c, d = (0, 0), (0, 1), (1, 0), (1, 1)
    follows: dict[Window, tuple[int, Window]] = {a: (0, a), b: (0, c), c: (1, b), d: (0, c)}
    assert find_cycles(follows) == [[a], [b, c]]
    assert find_cycles({}) == []


def test_how_many_prompts_are_listed() -> None:
    assert longest_listed(5, 2) == 2
    assert longest_listed(5, 8) == 4  # 780 prompts; with five words it would be 3905
    assert longest_listed(50, 8) == 1
    assert longest_listed(75, 8) == 1
    assert longest_listed(256, 32) == 0  # 65,536 numbers for the prompts of one word
    assert sum(5**length for length in range(1, 5)) <= MOST_PROMPTS


def test_drawn_prompts_are_the_seeds_and_have_their_own_probabilities(
    next_logits: NextLogits,
) -> None:
    run = scrambled(3, 8, vocab_size=75)
    rows = drawn_prompts(run, 75, range(2, 9), seed=4)
    assert len(rows) == MOST_DRAWN
    assert [row.tokens for row in rows] == [
        row.tokens for row in drawn_prompts(run, 75, range(2, 9), seed=4)
    ]
    assert [row.tokens for row in rows] != [
        row.tokens for row in drawn_prompts(run, 75, range(2, 9), seed=5)
    ]
    assert {len(row.tokens) for row in rows} == set(range(2, 9))
    assert len({row.tokens for row in rows}) == MOST_DRAWN
    for row in rows:
        assert row.next_id == int(run(np.array([row.tokens]))[0].argmax())


def test_with_many_words_fewer_prompts_are_drawn() -> None:
    rows = drawn_prompts(scrambled(3, 32, 256), 256, range(1, 33), seed=0)
    assert len(rows) * 256 <= MOST_VALUES < (len(rows) + 1) * 256
