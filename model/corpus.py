"""A corpus: lines of known words, checked, cut into training windows, and its entropy floor.

Needs no torch, so that the page can check what the user typed before torch is loaded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import IGNORED_TARGET
from model.errors import InputError
from model.vocabulary import Vocabulary

LESSON_CORPUS = "我 喜欢 AI\n猫 喜欢 学习\n"  # week 8: 我 喜欢 -> 喜欢 AI; 猫 喜欢 -> 喜欢 学习

_CHARACTERS_PER_WORD = 10  # a text longer than this per allowed word is rejected unread

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Corpus:
    """Sentences as token ids, at least two words each, and the words the ids stand for."""

    sentences: tuple[tuple[int, ...], ...]
    vocabulary: Vocabulary

    @property
    def vocab_size(self) -> int:
        """The number of words in the vocabulary."""
        return len(self.vocabulary)


@dataclass(frozen=True)
class Windows:
    """The training windows for one context_length; both [windows, sequence].

    `targets` holds the word that follows each position, or IGNORED_TARGET where the position
    is padding or was counted in an earlier window.
    """

    token_ids: Ids
    targets: Ids

    def __len__(self) -> int:
        return len(self.token_ids)


def read_corpus(text: Any, vocabulary: Vocabulary, max_words: int | None = None) -> Corpus:
    """The sentences of `text`, one per line, with or without spaces; blank lines are skipped.

    max_words: the limit on the total number of words; None for no limit.

    Raises:
        InputError: not text, too long, an unknown word, a line of one word (it has no next
            word to learn), or no sentence at all; details name the line, from 1.
    """
    if not isinstance(text, str):
        raise InputError("text_type", kind=type(text).__name__)
    if max_words is not None and len(text) > max_words * _CHARACTERS_PER_WORD:
        raise InputError("text_length", length=len(text), limit=max_words * _CHARACTERS_PER_WORD)
    # Split as a text field counts lines; `splitlines` would also split at form feeds.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    read = [_read_line(number, line, vocabulary) for number, line in enumerate(lines, 1)]
    sentences = tuple(sentence for sentence in read if sentence)
    if not sentences:
        raise InputError("corpus_empty", words=" ".join(vocabulary.words))
    count = sum(map(len, sentences))
    if max_words is not None and count > max_words:
        raise InputError("corpus_words", count=count, limit=max_words)
    return Corpus(sentences, vocabulary)


def windows_of(corpus: Corpus, context_length: int) -> Windows:
    """Windows with every next word of the corpus as a target once, in the context that the
    network has in generation.

    A sentence's first window holds its first `context_length` words and counts every position.
    Each later word gets a window of its own, the last `context_length` words before it at
    positions 0, 1, …, in which only the final position counts. Shorter windows are padded on
    the right, where the causal mask keeps the padding out of every counted position.
    """
    pieces = [
        piece
        for sentence in corpus.sentences
        for piece in _sentence_windows(sentence, context_length)
    ]
    longest = max(len(ids) for ids, _ in pieces)
    token_ids = np.zeros((len(pieces), longest), dtype=np.int64)
    targets = np.full((len(pieces), longest), IGNORED_TARGET, dtype=np.int64)
    for row, (ids, next_words) in enumerate(pieces):
        token_ids[row, : len(ids)] = ids
        targets[row, : len(next_words)] = next_words
    return Windows(token_ids, targets)


def entropy_floor(corpus: Corpus, context_length: int) -> float:
    """Mean entropy in nats of the next word given the part of its prefix that the network sees.

    No network of this context_length has a lower mean cross entropy over the counted targets:
    the floor is reached by giving each window the frequencies of the words that follow it.
    """
    followers: dict[tuple[int, ...], Counter[int]] = {}
    for prefix, next_word in _predictions(corpus, context_length):
        followers.setdefault(prefix, Counter())[next_word] += 1
    total = sum(counts.total() for counts in followers.values())
    return sum(counts.total() / total * _entropy(counts) for counts in followers.values())


def uniform_loss(vocab_size: int) -> float:
    """The loss of a uniform prediction: ln vocab_size, 1.6094 for five words."""
    return math.log(vocab_size)


def _read_line(number: int, line: str, vocabulary: Vocabulary) -> tuple[int, ...]:
    try:
        ids = vocabulary.encode(line)
    except InputError as error:
        raise InputError("corpus_word", line=number, **error.details) from error
    if len(ids) == 1:
        raise InputError("corpus_short", line=number, word=vocabulary.words[ids[0]])
    return tuple(ids)


def _sentence_windows(
    sentence: tuple[int, ...], context_length: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """(words, their next words) of each window of one sentence."""
    first = sentence[: context_length + 1]
    yield first[:-1], first[1:]
    for end in range(context_length + 1, len(sentence)):
        skipped = (IGNORED_TARGET,) * (context_length - 1)
        yield sentence[end - context_length : end], (*skipped, sentence[end])


def _predictions(corpus: Corpus, context_length: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """(visible prefix, next word) of every counted target."""
    for sentence in corpus.sentences:
        for end in range(1, len(sentence)):
            yield sentence[max(0, end - context_length) : end], sentence[end]


def _entropy(counts: Counter[int]) -> float:
    shares = [count / counts.total() for count in counts.values()]
    return sum(share * math.log(1 / share) for share in shares)
