"""Words to token ids and back. A model carries its vocabulary; nothing assumes the lesson's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from model.errors import InputError
from model.units import CHARACTERS, LINE_END, LONGEST, SPACE, UNITS, pieces_of, tidied

# Invisible characters: an error shows their code points.
_INVISIBLE_CATEGORIES = ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp", "Mn", "Me")
_LONGEST_PIECE_SHOWN = 24
_WORDS_SHOWN = 40  # in an error; a vocabulary may have thousands
_SURROGATE = re.compile("[\ud800-\udfff]")
MOST_WORDS = 65_536  # different words of a text of one's own
_MARKS = {LINE_END: "↵", SPACE: "␣"}
"""How a word that is a line end or a space is shown, and may be typed."""


class Vocabulary:
    """An ordered list of words; the id of a word is its index in the list.

    unit: how a text is cut into words, one of `model.units.UNITS`. By default (what files mean
        that state none) the longest match from the left, with or without spaces, and letter case
        and width do not count (`ＡＩ` is `AI`); in the other units they do.

    Raises:
        InputError: no word, a word twice, or a word that no text of this unit contains.
    """

    def __init__(self, words: Sequence[str], unit: str = LONGEST) -> None:
        self.words = tuple(words)
        if unit not in UNITS:
            raise InputError("choice", name="unit", choices=", ".join(UNITS), value=repr(unit))
        self.unit = unit
        if not self.words or not all(_can_be_read(word, unit) for word in self.words):
            raise InputError("words", words=str(list(self.words)))
        self._ids = {self._key(word): index for index, word in enumerate(self.words)}
        if len(self._ids) != len(self.words):
            raise InputError("words", words=str(list(self.words)))
        self._longest = max(map(len, self._ids))

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return False
        return (self.words, self.unit) == (other.words, other.unit)

    def __hash__(self) -> int:
        return hash((self.words, self.unit))

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """Each word as it is shown: ↵ for a line end, ␣ for a space, code points if invisible."""
        return tuple(map(_as_shown, self.words))

    @property
    def listed(self) -> str:
        """The words as an error lists them: all of a few, the first of many and their number."""
        if len(self) <= _WORDS_SHOWN:
            return " ".join(self.shown)
        return f"{' '.join(self.shown[:_WORDS_SHOWN])} … ({len(self)})"

    def encode(self, text: str) -> list[int]:
        """The ids of the words in `text`; an empty list for blank text.

        A space or a line end that is no word is skipped; ↵ and ␣ may be typed for those that are.

        Raises:
            InputError: a piece is not a word; the details give the piece, its position in `text`
                (counted from 1) and the words.
        """
        return self._encode_longest(text) if self.unit == LONGEST else self._encode_pieces(text)

    def decode(self, token_ids: Iterable[Any]) -> list[str]:
        """The words of `token_ids` (any integers).

        Raises:
            InputError: an id has no word.
        """
        ids = [int(token_id) for token_id in token_ids]
        for token_id in ids:
            if not 0 <= token_id < len(self.words):
                raise InputError("ids_range", value=token_id, last=len(self.words) - 1)
        return [self.words[token_id] for token_id in ids]

    def text(self, token_ids: Iterable[Any]) -> str:
        """The text of `token_ids`: what `encode` read, up to runs of spaces.

        Raises:
            InputError: an id has no word.
        """
        words = self.decode(token_ids)
        if self.unit == CHARACTERS:
            return "".join(words)
        return SPACE.join(words).replace(f" {LINE_END}", LINE_END).replace(f"{LINE_END} ", LINE_END)

    def _encode_pieces(self, text: str) -> list[int]:
        ids: list[int] = []
        tidy = tidied(text)
        for piece, at in pieces_of(tidy, self.unit):
            found = self._id(piece)
            if found is not None:
                ids.append(found)
            elif piece not in _MARKS:
                place = _place_in(text, tidy, at)
                raise InputError("unknown_word", piece=_cut(piece), place=place, words=self.listed)
        return ids

    def _id(self, piece: str) -> int | None:
        """The id of a piece, or of the line end or space that it is the mark of."""
        found = self._ids.get(self._key(piece))
        meant = _MEANT.get(piece)
        return self._ids.get(meant) if found is None and meant is not None else found

    def _key(self, word: str) -> str:
        return fold(word) if self.unit == LONGEST else word

    def _encode_longest(self, text: str) -> list[int]:
        folded, places = _fold_with_places(text)
        ids: list[int] = []
        at = 0
        while at < len(folded):
            length = self._match_length(folded, at)
            if length == 0 and folded[at].isspace():
                at += 1
                continue
            if length == 0:
                raise self._unknown(text, folded, places, at)
            ids.append(self._ids[folded[at : at + length]])
            at += length
        return ids

    def _match_length(self, folded: str, at: int) -> int:
        """Length of the longest word that starts at `at`, 0 if none does."""
        for length in range(min(self._longest, len(folded) - at), 0, -1):
            if folded[at : at + length] in self._ids:
                return length
        return 0

    def _unknown(self, text: str, folded: str, places: list[int], at: int) -> InputError:
        end = at
        while end < len(folded) and not folded[end].isspace():
            if end > at and self._match_length(folded, end):
                break
            end += 1
        last = places[end] if end < len(places) else len(text)
        piece = text[places[at] : max(last, places[at] + 1)]
        return InputError(
            "unknown_word", piece=_cut(piece), place=places[at] + 1, words=self.listed
        )


_MEANT = {mark: word for word, mark in _MARKS.items()}


def words_of(texts: Sequence[str], unit: str) -> Vocabulary:
    """The vocabulary of texts of one's own: their words in the order of their first place.

    texts: tidied (`model.units.tidied`); unit: `words` or `characters`. Letter case counts.

    Raises:
        InputError: fewer than two different words, or more than MOST_WORDS.
    """
    words = dict.fromkeys(piece for text in texts for piece, _ in pieces_of(text, unit))
    if not words.keys() - _MARKS.keys():
        raise InputError("text_blank")
    if len(words) == 1:
        raise InputError("text_one_word", word=_cut(*words))
    if len(words) > MOST_WORDS:
        raise InputError("text_words", count=len(words), limit=MOST_WORDS)
    return Vocabulary(tuple(words), unit)


def check_whole(text: str) -> None:
    """Raise InputError if `text` has half a surrogate pair, which no file can hold."""
    half = _SURROGATE.search(text)
    if half is not None:
        raise InputError("text_surrogate", place=half.start() + 1, piece=_as_shown(half[0]))


def _can_be_read(word: Any, unit: str) -> bool:
    """Whether some text of this unit has `word` in it."""
    if not isinstance(word, str) or _SURROGATE.search(word):
        return False
    if unit == LONGEST or word == SPACE:
        return bool(word.strip()) or unit == CHARACTERS
    return tidied(word) == word and [piece for piece, _ in pieces_of(word, unit)] == [word]


def _as_shown(word: str) -> str:
    if word in _MARKS:
        return _MARKS[word]
    return word if any(map(_is_visible, word)) else "".join(map(_code_point, word))


def _place_in(text: str, tidy: str, at: int) -> int:
    """Where in `text`, counted from 1, the character at `at` in `tidy` (`text` tidied) stands."""
    before = sum(not character.isspace() for character in tidy[:at])
    seen = 0
    for place, character in enumerate(text, 1):
        if not character.isspace():
            if seen == before:
                return place
            seen += 1
    return len(text)


def fold(text: str) -> str:
    """One form for full-width and half-width, upper and lower case letters."""
    return unicodedata.normalize("NFKC", text).lower()


def _fold_with_places(text: str) -> tuple[str, list[int]]:
    """`text` folded character by character, and each folded character's index in `text`."""
    folded: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        for piece in fold(character):
            folded.append(piece)
            places.append(index)
    return "".join(folded), places


def _cut(piece: str) -> str:
    """`piece` cut to a readable length, with invisible characters as code points."""
    shown = "".join(
        character if _is_visible(character) else _code_point(character)
        for character in piece[:_LONGEST_PIECE_SHOWN]
    )
    return shown + ("…" if len(piece) > _LONGEST_PIECE_SHOWN else "")


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in _INVISIBLE_CATEGORIES


def _code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


LESSON_WORDS = Vocabulary(("我", "喜欢", "AI", "学习", "猫"))
"""The lesson's words, for its own models, its pages and their tests."""
LESSON_A, LESSON_B = (0, 1), (4, 1)  # 我 喜欢 and 猫 喜欢: the prompts the lesson compares
