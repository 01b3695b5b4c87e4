"""Every text of the project by language: a folder of JSON files for each, and a name in one list.

`errors.json`: sentences of `InputError` by code. `network.json`: title and sentence of each stop,
names of values and weights. `page/*.json`: the page. `commands/*.json`: the command lines.
`documents.json`, `card.md`: what is written into files. `language.json`: the language's own name,
its tag (BCP 47) and how the locales that speak it begin.

A new language is a folder like the others and its name in `LANGUAGES`.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

LANGUAGES = ("zh", "en")  # the first is the page's own
PLAIN = "en"
"""What `str(error)` says, and what a console gets that can show no other."""

FOLDER = Path(__file__).parent
_PART = re.compile(r"[a-z_]+\.json", re.ASCII)


@functools.cache
def texts(language: str, part: str) -> dict[str, Any]:
    """One file of one language: `texts("en", "page/map")`."""
    path = FOLDER / language / f"{part}.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def document(language: str, name: str) -> str:
    """A whole text of one language, `<name>.md`, with `str.format` braces."""
    return (FOLDER / language / f"{name}.md").read_text(encoding="utf-8")


def by_language(part: str) -> dict[str, dict[str, str]]:
    """`{key: {language: text}}` of a file whose texts have no further structure.

    Raises:
        ValueError: the languages differ in their keys.
    """
    files = {language: texts(language, part) for language in LANGUAGES}
    keys = files[PLAIN].keys()
    for language, file in files.items():
        if file.keys() != keys:
            raise ValueError(f"{language}/{part}.json lacks or adds {sorted(file.keys() ^ keys)}")
    return {key: {language: files[language][key] for language in LANGUAGES} for key in keys}


def parts(folder: str) -> list[str]:
    """The files in a folder of every language, as `texts` names them: `page/map`, …

    No hidden one, and no copy that an editor left.
    """
    found = (FOLDER / PLAIN / folder).iterdir()
    return sorted(f"{folder}/{path.stem}" for path in found if _PART.fullmatch(path.name))


def language_of_locale(name: str) -> str:
    """The language of a locale called `name` ("zh_CN.UTF-8", "Chinese (Simplified)_China")."""
    for language in LANGUAGES:
        if name.lower().startswith(tuple(texts(language, "language")["locales"])):
            return language
    return PLAIN


def in_every(sentences: dict[str, str]) -> str:
    """The same in each language, for where nobody says which one is theirs; once if equal."""
    said = [sentences.get(language, "") for language in LANGUAGES]
    return " / ".join(dict.fromkeys(filter(None, said)))
