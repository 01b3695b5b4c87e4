"""A sentence in a request, as ids or as text: checked before it is used."""

from __future__ import annotations

from typing import Any

from model.errors import InputError
from ui.model_entry import ModelEntry

TOKEN_LIMIT = 256  # words in a sentence
TEXT_LIMIT = 2_000  # characters of free text


def read_tokens(tokens: Any, entry: ModelEntry) -> list[int]:
    """A list of word ids, at most TOKEN_LIMIT long."""
    if not isinstance(tokens, list) or not all(type(token) is int for token in tokens):
        raise InputError("ids_dtype", dtype=type(tokens).__name__)
    check_length(len(tokens))
    entry.vocabulary.decode(tokens)
    return tokens


def read_text(text: Any, entry: ModelEntry) -> list[int]:
    """The ids of the words in free text."""
    if not isinstance(text, str):
        raise InputError("text_type", kind=type(text).__name__)
    if len(text) > TEXT_LIMIT:
        raise InputError("text_length", length=len(text), limit=TEXT_LIMIT)
    tokens = entry.vocabulary.encode(text)
    check_length(len(tokens))
    return tokens


def check_length(length: int) -> None:
    """Raise InputError if a sentence of `length` words is too long."""
    if length > TOKEN_LIMIT:
        raise InputError("token_limit", length=length, limit=TOKEN_LIMIT)


def check_not_empty(tokens: list[int], entry: ModelEntry) -> None:
    """Raise InputError if the sentence has no word."""
    if not tokens:
        raise InputError("empty_prompt", words=entry.vocabulary.listed)
