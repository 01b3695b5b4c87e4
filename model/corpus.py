"""A corpus: sentences of words, checked, cut into training windows, and its entropy floor.

`read_corpus` reads lines of known words, each a sentence of its own. `own_corpus` takes the words
from the text, whose line ends may be words: then the whole text is one sentence.

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
from model.units import LINE_END, OWN_UNITS, tidied
from model.vocabulary import LESSON_WORDS, Vocabulary, check_whole, words_of

LESSON_CORPUS = "我 喜欢 AI\n猫 喜欢 学习\n"  # week 8: 我 喜欢 -> 喜欢 AI; 猫 喜欢 -> 喜欢 学习

LINE_ENDS = WORD, BREAK = "word", "break"
"""In a text of one's own: a line end is a word (a blank line is two), or the end of a sentence."""
MOST_CHARACTERS = 2_000_000  # of such a text

_CHARACTERS_PER_WORD = 10  # a text longer than this per allowed word is rejected unread

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Corpus:
    """Sentences as token ids, at least two words each, and the words the ids stand for.

    starts: for each sentence, the places of the words that begin a later line of it; empty if
        no sentence has lines. left_out: how many sentences of a single word the text had.
    """

    sentences: tuple[tuple[int, ...], ...]
    vocabulary: Vocabulary
    starts: tuple[tuple[int, ...], ...] = ()
    left_out: int = 0

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
        raise InputError("corpus_empty", words=vocabulary.listed)
    count = sum(map(len, sentences))
    if max_words is not None and count > max_words:
        raise InputError("corpus_words", count=count, limit=max_words)
    return Corpus(sentences, vocabulary)


def corpus_of(
    text: Any, unit: str | None, line_ends: str = WORD, max_words: int | None = None
) -> Corpus:
    """`text` in the lesson's words if `unit` is None (see `read_corpus`), else in its own.

    Raises:
        InputError: see `read_corpus` and `own_corpus`; or there is no such unit or line_ends.
    """
    if unit is None:
        return read_corpus(text, LESSON_WORDS, max_words)
    for name, value, choices in (("unit", unit, OWN_UNITS), ("line_ends", line_ends, LINE_ENDS)):
        if value not in choices:
            listed = ", ".join(choices)
            raise InputError("choice", name=name, choices=listed, value=repr(value)[:40])
    characters = MOST_CHARACTERS if max_words is None else max_words * _CHARACTERS_PER_WORD
    corpus = own_corpus(text, unit, line_ends, characters)
    count = sum(map(len, corpus.sentences))
    if max_words is not None and count > max_words:
        raise InputError("corpus_words", count=count, limit=max_words)
    return corpus


def own_corpus(
    text: Any, unit: str, line_ends: str = WORD, max_characters: int = MOST_CHARACTERS
) -> Corpus:
    """A text of one's own, its words taken from it.

    unit: `words` or `characters`; line_ends: one of LINE_ENDS.

    Raises:
        InputError: not text, too long, half a surrogate, fewer than two different words, or no
            sentence of two words.
    """
    if not isinstance(text, str):
        raise InputError("text_type", kind=type(text).__name__)
    if len(text) > max_characters:
        raise InputError("text_length", length=len(text), limit=max_characters)
    check_whole(text)
    tidy = tidied(text).strip(LINE_END)
    pieces = [tidy] if line_ends == WORD else tidy.split(LINE_END)
    vocabulary = words_of(pieces, unit)
    read = [tuple(vocabulary.encode(piece)) for piece in pieces]
    sentences = tuple(ids for ids in read if len(ids) > 1)
    if not sentences:
        raise InputError("text_short")
    starts: tuple[tuple[int, ...], ...] = ()
    if line_ends == WORD and LINE_END in vocabulary.words:
        end = vocabulary.words.index(LINE_END)
        starts = tuple(
            tuple(place + 1 for place, word in enumerate(ids) if word == end) for ids in sentences
        )
    return Corpus(sentences, vocabulary, starts, sum(len(ids) == 1 for ids in read))


def windows_of(corpus: Corpus, context_length: int) -> Windows:
    """Windows with every next word of the corpus as a target once, in the context that the
    network has in generation.

    A sentence's first window holds its first `context_length` words and counts every position.
    Each later word gets a window of its own, the last `context_length` words before it at
    positions 0, 1, …, in which only the final position counts. Shorter windows are padded on
    the right, where the causal mask keeps the padding out of every counted position.

    Each later line of a sentence begins one window more, which counts what is not counted with
    the same words before it: from where the line no longer agrees with a sentence's beginning.
    """
    pieces = list(_pieces(corpus, context_length))
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
    for ids, next_words in _pieces(corpus, context_length):
        for place, next_word in enumerate(next_words, 1):
            if next_word != IGNORED_TARGET:
                followers.setdefault(ids[:place], Counter())[next_word] += 1
    total = sum(counts.total() for counts in followers.values())
    return sum(counts.total() / total * _entropy(counts) for counts in followers.values())


def tells_every_word(corpus: Corpus, context_length: int) -> bool:
    """Whether the words of a sentence before a word, as far as they are seen, tell it."""
    told: dict[tuple[int, ...], int] = {}
    for sentence in corpus.sentences:
        for end in range(1, len(sentence)):
            seen = sentence[max(0, end - context_length) : end]
            if told.setdefault(seen, sentence[end]) != sentence[end]:
                return False
    return True


def uniform_loss(vocab_size: int) -> float:
    """The loss of a uniform prediction: ln vocab_size, 1.6094 for five words."""
    return math.log(vocab_size)


def _read_line(number: int, line: str, vocabulary: Vocabulary) -> tuple[int, ...]:
    try:
        ids = vocabulary.encode(line)
    except InputError as error:
        raise InputError("corpus_word", line=number, **error.details) from error
    if len(ids) == 1:
        raise InputError("corpus_short", line=number, word=vocabulary.shown[ids[0]])
    return tuple(ids)


Piece = tuple[tuple[int, ...], tuple[int, ...]]
"""The words of a window, and the next word of each (or IGNORED_TARGET)."""


def _pieces(corpus: Corpus, context_length: int) -> Iterator[Piece]:
    """The words of each window and their next words."""
    for sentence in corpus.sentences:
        yield from _sentence_windows(sentence, context_length)
    if corpus.starts:
        yield from _line_windows(corpus, context_length)


def _sentence_windows(sentence: tuple[int, ...], context_length: int) -> Iterator[Piece]:
    first = sentence[: context_length + 1]
    yield first[:-1], first[1:]
    skipped = (IGNORED_TARGET,) * (context_length - 1)
    for end in range(context_length + 1, len(sentence)):
        yield sentence[end - context_length : end], (*skipped, sentence[end])


def _line_windows(corpus: Corpus, context_length: int) -> Iterator[Piece]:
    """A window from each later line's beginning, for a prompt that begins there."""
    beginnings = {
        sentence[:length] for sentence in corpus.sentences for length in range(1, context_length)
    }
    for sentence, starts in zip(corpus.sentences, corpus.starts, strict=True):
        for start in starts:
            piece = sentence[start : start + context_length]  # longer prompts have a window above
            agrees = 0
            while agrees < len(piece) - 1 and piece[: agrees + 1] in beginnings:
                agrees += 1
            counted = piece[agrees + 1 :]
            if counted:
                yield piece[:-1], (*((IGNORED_TARGET,) * agrees), *counted)


def _entropy(counts: Counter[int]) -> float:
    shares = [count / counts.total() for count in counts.values()]
    return sum(share * math.log(1 / share) for share in shares)
