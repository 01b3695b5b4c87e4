"""Errors that a person caused and can mend, in both languages of the page.

Every check of outside input raises `InputError`: a `ValueError` with a code and the figures
met. Its text is English (`str(error)`); `error.text("zh")` says the same in Chinese. The
sentences stand in `messages.json` so that JavaScript reads the very same ones.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

LANGUAGES = ("zh", "en")
_DETAIL_LIMIT = 500  # characters of one detail in a sentence
_MESSAGES_FILE = Path(__file__).parent / "messages.json"


@functools.cache
def messages() -> dict[str, dict[str, str]]:
    """`{code: {"zh": template, "en": template}}`, templates in `str.format` form."""
    table: dict[str, dict[str, str]] = json.loads(_MESSAGES_FILE.read_text(encoding="utf-8"))
    return table


class InputError(ValueError):
    """Bad input, named by `code`, with the figures met in `details`."""

    def __init__(self, code: str, **details: Any) -> None:
        self.code = code
        self.details = {name: _short(detail) for name, detail in details.items()}
        super().__init__(self.text("en"))

    def text(self, language: str) -> str:
        """What was wrong and what to do, in `language` ("zh" or "en")."""
        return messages()[self.code][language].format(**self.details)


def _short(detail: Any) -> Any:
    """What may repeat what a person sent, cut where nobody reads on; short ones stay as they are
    (a number may be written by its own format)."""
    try:
        text = str(detail)
    except ValueError:  # Python writes out no whole number of more than 4,300 digits
        return "…"
    return detail if len(text) <= _DETAIL_LIMIT else text[:_DETAIL_LIMIT] + "…"
