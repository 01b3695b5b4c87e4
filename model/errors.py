"""Errors that the user caused and can correct, in every language of the page.

Every check of outside input raises `InputError`: a `ValueError` with a code and the offending
values. Its text is English (`str(error)`); `error.text("zh")` says the same in Chinese. The
sentences are in `languages/*/errors.json`; JavaScript reads the same files.
"""

from __future__ import annotations

from typing import Any

from languages import LANGUAGES, PLAIN, in_every, texts

_EMPTY = repr("")  # of an empty field: a person does not read it as one
_DETAIL_LIMIT = 500  # characters of one detail in a sentence


class InputError(ValueError):
    """Invalid input: what is wrong by `code`, the offending values in `details`."""

    def __init__(self, code: str, **details: Any) -> None:
        self.code = code
        self.details = {name: _short(detail) for name, detail in details.items()}
        super().__init__(self.text(PLAIN))

    def text(self, language: str) -> str:
        """What was wrong and what to do, in `language`: one of `LANGUAGES`."""
        sentences = texts(language, "errors")
        told = {
            name: sentences["nothing"] if detail == _EMPTY else detail
            for name, detail in self.details.items()
        }
        sentence: str = sentences[self.code]
        return sentence.format(**told)

    def in_every_language(self) -> str:
        """The text in all languages, for users whose language is unknown."""
        return in_every({language: self.text(language) for language in LANGUAGES})


def _short(detail: Any) -> Any:
    """`detail`, cut to `_DETAIL_LIMIT` characters, since it may repeat what the user sent; a short
    one keeps its type (the sentence may format a number)."""
    try:
        text = str(detail)
    except ValueError:  # Python refuses to convert integers of more than 4,300 digits
        return "…"
    return detail if len(text) <= _DETAIL_LIMIT else text[:_DETAIL_LIMIT] + "…"
