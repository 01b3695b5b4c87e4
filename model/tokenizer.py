"""`tokenizer.json`: a vocabulary's rules in the format of the `tokenizers` library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from model.units import CHARACTERS, LINE_END, LONGEST, SPACE
from model.vocabulary import Vocabulary, fold


def _replacing(pattern: dict[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}


_ONE_SPACE_BETWEEN = (
    _replacing({"Regex": "^"}, SPACE),
    {"type": "Fuse"},
    {"type": "Strip", "content": SPACE, "start": 1, "stop": 0},
)


def tokenizer_definition(vocabulary: Vocabulary) -> dict[str, Any]:
    """The content of `tokenizer.json`: the same rules in the `tokenizers` library's format.

    Text that has a piece that is no word is an error, because there is no unknown token.
    """
    if vocabulary.unit == LONGEST:
        return _longest_definition(vocabulary)
    return _pieces_definition(vocabulary)


def _pieces_definition(vocabulary: Vocabulary) -> dict[str, Any]:
    """Words between spaces, or characters, in their own letter case.

    The text is tidied as `model.units.tidied` does, and then cut at every word, the longest first:
    what a cluster is, is in the words, so that no reader needs the same Unicode version.
    """
    words, in_characters = vocabulary.words, vocabulary.unit == CHARACTERS
    tidying = [
        _replacing({"Regex": "\r\n?"}, LINE_END),
        _replacing({"Regex": r"[^\S\n]+"}, SPACE),
        _replacing({"Regex": "^ | $"}, ""),
    ]
    if in_characters and SPACE not in words:
        tidying.append(_replacing({"String": SPACE}, ""))
    if LINE_END not in words:
        tidying.append(_replacing({"String": LINE_END}, "" if in_characters else SPACE))
    longest_first = sorted(words, key=len, reverse=True)
    at_words = [_cut_at({"Regex": "|".join(map(re.escape, longest_first))}, "Isolated")]
    at_spaces = [_cut_at({"String": LINE_END}, "Isolated"), _cut_at({"String": SPACE}, "Removed")]
    joined_by_spaces = [
        *_ONE_SPACE_BETWEEN,
        _replacing({"Regex": f" {LINE_END} ?|{LINE_END} "}, LINE_END),
    ]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": tidying},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": at_words if in_characters else at_spaces,
        },
        "post_processor": None,
        "decoder": {
            "type": "Sequence",
            "decoders": [{"type": "Fuse"}] if in_characters else joined_by_spaces,
        },
        "model": _word_level(vocabulary),
    }


def _cut_at(pattern: dict[str, str], behaviour: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": pattern, "behavior": behaviour, "invert": False}


def _word_level(vocabulary: Vocabulary) -> dict[str, Any]:
    return {
        "type": "WordLevel",
        "vocab": {word: index for index, word in enumerate(vocabulary.words)},
        "unk_token": "<unknown>",
    }


def _longest_definition(vocabulary: Vocabulary) -> dict[str, Any]:
    """The longest word that matches.

    Every word is an added token that is matched in the normalised text (NFKC, lower case, then
    each character as the words spell it), the longest first, so `ai` and `ＡＩ` are both the
    token `AI`. Words that spell a character in two ways (the a of `AI` and of `ain`) stay
    folded, and the decoder restores their spelling.
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
        "decoder": {
            "type": "Sequence",
            "decoders": [*_spelt_words(vocabulary, spelt), *_ONE_SPACE_BETWEEN],
        },
        "model": _word_level(vocabulary),
    }


def _spelt_characters(vocabulary: Vocabulary) -> dict[str, str]:
    """The spelling of each folded character that all words share, where it differs from it.

    Words that contain a character with two spellings count as folded.
    """
    folded = {word: fold(word) for word in vocabulary.words}
    kept = {word for word in folded if "".join(map(fold, word)) == folded[word]}
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
        word: "".join(spelt.get(character, character) for character in fold(word))
        for word in vocabulary.words
    }
    return [
        _replacing({"Regex": f"^{re.escape(as_read)}$"}, word)
        for word, as_read in read.items()
        if as_read != word
    ]
