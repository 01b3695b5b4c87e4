"""Words to token ids and back; by default the lesson's five words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from model.errors import InputError

LESSON_WORDS = ("我", "喜欢", "AI", "学习", "猫")
LESSON_A, LESSON_B = (0, 1), (4, 1)  # 我 喜欢 and 猫 喜欢: the prompts the lesson compares

# Invisible characters: an error shows their code points.
_INVISIBLE_CATEGORIES = ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp", "Mn", "Me")
_LONGEST_PIECE_SHOWN = 24


class Vocabulary:
    """An ordered list of words; the id of a word is its index in the list.

    `encode` reads words with or without spaces, in any letter case and width (`ＡＩ` is
    `AI`), by longest match from the left.
    """

    def __init__(self, words: Sequence[str] = LESSON_WORDS) -> None:
        self.words = tuple(words)
        written = all(isinstance(word, str) and word.strip() for word in self.words)
        if not written or not self.words or len(set(map(_fold, self.words))) != len(self.words):
            raise InputError("words", words=str(list(self.words)))
        self._ids = {_fold(word): index for index, word in enumerate(self.words)}
        self._longest = max(map(len, self._ids))

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.words == other.words

    def __hash__(self) -> int:
        return hash(self.words)

    def encode(self, text: str) -> list[int]:
        """The ids of the words in `text`; an empty list for blank text.

        Raises:
            InputError: a piece is not a word; the details give the piece, its position in `text`
                (counted from 1) and all words.
        """
        folded, places = _fold_with_places(text)
        ids: list[int] = []
        at = 0
        while at < len(folded):
            if folded[at].isspace():
                at += 1
                continue
            length = self._match_length(folded, at)
            if length == 0:
                raise self._unknown(text, folded, places, at)
            ids.append(self._ids[folded[at : at + length]])
            at += length
        return ids

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
            "unknown_word", piece=_shown(piece), place=places[at] + 1, words=" ".join(self.words)
        )


def _fold(text: str) -> str:
    """One form for full-width and half-width, upper and lower case letters."""
    return unicodedata.normalize("NFKC", text).lower()


def _fold_with_places(text: str) -> tuple[str, list[int]]:
    """`text` folded character by character, and each folded character's index in `text`."""
    folded: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        for piece in _fold(character):
            folded.append(piece)
            places.append(index)
    return "".join(folded), places


def _shown(piece: str) -> str:
    """`piece` cut to a readable length, with invisible characters as code points."""
    cut = piece[:_LONGEST_PIECE_SHOWN]
    shown = "".join(
        f"U+{ord(character):04X}"
        if unicodedata.category(character) in _INVISIBLE_CATEGORIES
        else character
        for character in cut
    )
    return shown + ("…" if len(piece) > _LONGEST_PIECE_SHOWN else "")


def tokenizer_definition(vocabulary: Vocabulary) -> dict[str, Any]:
    """The content of `tokenizer.json`: the same rules in the `tokenizers` library's format.

    Every word is an added token that is matched in the normalised text (NFKC, lower case, then
    each character as the words spell it), the longest first, so `ai` and `ＡＩ` are both the
    token `AI`. Words that spell a character in two ways (the a of `AI` and of `ain`) stay
    folded, and the decoder restores their spelling. Text that matches no word is an error,
    because the vocabulary contains no unknown token.
    """
    spelt = _spelt_characters(vocabulary)
    kept = {"single_word": False, "lstrip": False, "rstrip": False, "special": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": index, "content": word, **kept, "normalized": True}
            for index, word in enumerate(vocabulary.words)
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "NFKC"},
                {"type": "Lowercase"},
                *(_replacing({"String": folded}, own) for folded, own in spelt.items()),
            ],
        },
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": {  # joins the words with one space
            "type": "Sequence",
            "decoders": [
                *_spelt_words(vocabulary, spelt),
                _replacing({"Regex": "^"}, " "),
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        "model": {
            "type": "WordLevel",
            "vocab": {word: index for index, word in enumerate(vocabulary.words)},
            "unk_token": "<unknown>",
        },
    }


def _spelt_characters(vocabulary: Vocabulary) -> dict[str, str]:
    """The spelling of each folded character that all words share, where it differs from it.

    Words that contain a character with two spellings count as folded.
    """
    folded = {word: _fold(word) for word in vocabulary.words}
    kept = {word for word in folded if "".join(map(_fold, word)) == folded[word]}
    kept -= {word for word in kept if len(word) != len(folded[word])}
    while True:
        spellings: dict[str, set[str]] = {}
        for word in vocabulary.words:
            own = word if word in kept else folded[word]
            for character, written in zip(folded[word], own, strict=True):
                spellings.setdefault(character, set()).add(written)
        unclear = {character for character, ways in spellings.items() if len(ways) > 1}
        clear = {word for word in kept if unclear.isdisjoint(folded[word])}
        if clear == kept:
            break
        kept = clear
    return {
        character: written for character, (written,) in spellings.items() if written != character
    }


def _spelt_words(vocabulary: Vocabulary, spelt: Mapping[str, str]) -> list[dict[str, Any]]:
    """Decoder rules that restore the spelling of the words that stay folded."""
    read = {
        word: "".join(spelt.get(character, character) for character in _fold(word))
        for word in vocabulary.words
    }
    return [
        _replacing({"Regex": f"^{re.escape(as_read)}$"}, word)
        for word, as_read in read.items()
        if as_read != word
    ]


def _replacing(pattern: dict[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}
