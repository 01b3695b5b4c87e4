"""Lines of words: read, refused with their line, cut into windows, and their entropy floor."""

from __future__ import annotations

import math

import numpy as np
import pytest

from model.config import IGNORED_TARGET
from model.corpus import LESSON_CORPUS, entropy_floor, read_corpus, uniform_loss, windows_of
from model.errors import InputError
from model.vocabulary import LESSON_WORDS
from tests.lesson import LESSON

WORDS = LESSON_WORDS
N = IGNORED_TARGET


def test_the_lessons_corpus_is_the_lessons_training_example() -> None:
    windows = windows_of(read_corpus(LESSON_CORPUS, WORDS), 8)
    assert windows.token_ids.tolist() == LESSON["training_example"]["inputs"]
    assert windows.targets.tolist() == LESSON["training_example"]["targets"]


def test_any_spacing_and_blank_lines() -> None:
    read = read_corpus("我喜欢AI\r\n\n  猫　喜欢 学习 \r我喜欢", WORDS)
    assert read.sentences == ((0, 1, 2), (4, 1, 3), (0, 1))


@pytest.mark.parametrize(
    ("text", "code", "details"),
    [
        ("我 喜欢\n\n猫 喜欢 狗", "corpus_word", {"line": 3, "piece": "狗", "place": 6}),
        ("我 喜欢\r猫", "corpus_short", {"line": 2, "word": "猫"}),
        ("我喜欢\x0b猫\n\x00", "corpus_word", {"line": 2, "piece": "U+0000"}),
        ("", "corpus_empty", {}),
        (" \n\t\n", "corpus_empty", {}),
        ("我 " * 11, "corpus_words", {"count": 11, "limit": 10}),
        ("我" * 101, "text_length", {"length": 101, "limit": 100}),
        (None, "text_type", {"kind": "NoneType"}),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, code: str, details: dict[str, int]) -> None:
    with pytest.raises(InputError) as caught:
        read_corpus(text, WORDS, max_words=10)
    assert caught.value.code == code
    assert details.items() <= caught.value.details.items()


def test_unequal_lengths_share_a_batch_with_ignored_targets() -> None:
    windows = windows_of(read_corpus("我喜欢AI\n猫喜欢", WORDS), 8)
    assert windows.token_ids.tolist() == [[0, 1], [4, 0]]
    assert windows.targets.tolist() == [[1, 2], [1, N]]


def test_a_sentence_beyond_the_context_counts_every_word_once() -> None:
    windows = windows_of(read_corpus("我喜欢AI学习猫", WORDS), 2)
    assert windows.token_ids.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert windows.targets.tolist() == [[1, 2], [N, 3], [N, 4]]


@pytest.mark.parametrize("context_length", [1, 2, 3, 8, 16])
def test_every_next_word_is_counted_once_at_any_context(context_length: int) -> None:
    draw = np.random.default_rng(context_length)
    lengths = draw.integers(2, 20, 12)
    lines = [" ".join(WORDS.decode(draw.integers(0, 5, length))) for length in lengths]
    windows = windows_of(read_corpus("\n".join(lines), WORDS), context_length)
    assert windows.token_ids.shape[1] <= context_length
    assert (windows.targets != N).sum() == (lengths - 1).sum()


def test_floor_of_a_corpus_that_is_certain_is_zero() -> None:
    assert entropy_floor(read_corpus(LESSON_CORPUS, WORDS), 8) == 0


def test_floor_sees_as_far_as_the_context() -> None:
    corpus = read_corpus(LESSON_CORPUS, WORDS)
    # After 喜欢 alone, half the targets are AI and half 学习; those are half of all.
    assert entropy_floor(corpus, 1) == pytest.approx(math.log(2) / 2, abs=1e-15)


def test_floor_of_a_mixture() -> None:
    corpus = read_corpus("我 喜欢\n我 喜欢\n我 AI\n猫 学习", WORDS)
    share = 2 / 3
    after_me = -share * math.log(share) - (1 - share) * math.log(1 - share)
    assert entropy_floor(corpus, 4) == pytest.approx(3 / 4 * after_me, abs=1e-15)


def test_no_prediction_beats_the_floor() -> None:
    """Cross entropy of any table of probabilities by what is seen is at least the floor."""
    corpus = read_corpus("我喜欢AI我喜欢学习\n猫喜欢学习猫我\nAI我喜欢AI", WORDS)
    windows = windows_of(corpus, 3)
    draw = np.random.default_rng(0)
    floor = entropy_floor(corpus, 3)
    for sharpness in (0.1, 1.0, 10.0):
        table: dict[tuple[int, ...], np.ndarray] = {}
        losses = []
        for ids, targets in zip(windows.token_ids, windows.targets, strict=True):
            for place in np.flatnonzero(targets != N):
                seen = tuple(ids[: place + 1])
                if seen not in table:
                    table[seen] = draw.dirichlet(np.full(5, sharpness))
                losses.append(-math.log(table[seen][targets[place]] + 1e-300))
        assert np.mean(losses) >= floor


def test_the_loss_of_knowing_nothing() -> None:
    assert f"{uniform_loss(5):.4f}" == "1.6094"
