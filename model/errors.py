"""Errors that a person caused and can mend, in every language of the page.

Every check of outside input raises `InputError`: a `ValueError` with a code and the figures
met. Its text is English (`str(error)`); `error.text("zh")` says the same in Chinese. The
sentences stand in `languages/*/errors.json`; JavaScript reads the very same ones.
"""

from __future__ import annotations

from typing import Any

from languages import LANGUAGES, PLAIN, in_every, texts

_DETAIL_LIMIT = 500  # characters of one detail in a sentence


class InputError(ValueError):
    """Bad input, named by `code`, with the figures met in `details`."""

    def __init__(self, code: str, **details: Any) -> None:
        self.code = code
        self.details = {name: _short(detail) for name, detail in details.items()}
        super().__init__(self.text(PLAIN))

    def text(self, language: str) -> str:
        """What was wrong and what to do, in `language`: one of `LANGUAGES`."""
        sentence: str = texts(language, "errors")[self.code]
        return sentence.format(**self.details)

    def in_every_language(self) -> str:
        """For who has not said which language is theirs."""
        return in_every({language: self.text(language) for language in LANGUAGES})


def _short(detail: Any) -> Any:
    """What may repeat what a person sent, cut where nobody reads on; short ones stay as they are
    (a number may be written by its own format)."""
    try:
        text = str(detail)
    except ValueError:  # Python writes out no whole number of more than 4,300 digits
        return "…"
    return detail if len(text) <= _DETAIL_LIMIT else text[:_DETAIL_LIMIT] + "…"
