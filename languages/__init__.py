"""Every text of the project by language: one folder of JSON files per language.

`errors.json`: messages of `InputError` by code. `network.json`: title and text of each stage,
names of values and weights. `page/*.json`: the page. `commands/*.json`: the command lines.
`documents.json`, `card.md`: texts written into files. `glosses.json`: the lesson's words in the
language, for who reads none of theirs; a language may lack it. `language.json`: the language's
own name, its tag (BCP 47) and the prefixes of its locales.

To add a language, add a folder with the same files, and its name to `LANGUAGES`.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

LANGUAGES = ("zh", "en")  # the first is the page's default
PLAIN = "en"
"""The language of `str(error)`, and of consoles that cannot display another one."""

FOLDER = Path(__file__).parent
_PART = re.compile(r"[a-z_]+\.json", re.ASCII)


@functools.cache
def texts(language: str, part: str) -> dict[str, Any]:
    """One file of one language: `texts("en", "page/map")`."""
    path = FOLDER / language / f"{part}.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def glosses() -> dict[str, dict[str, str]]:
    """By language, the lesson's words in it, `{word: gloss}`; without those that need none."""
    having = [each for each in LANGUAGES if (FOLDER / each / "glosses.json").exists()]
    return {language: texts(language, "glosses") for language in having}


def document(language: str, name: str) -> str:
    """The template `<name>.md` in one language, with `str.format` braces."""
    return (FOLDER / language / f"{name}.md").read_text(encoding="utf-8")


def by_language(part: str) -> dict[str, dict[str, str]]:
    """`{key: {language: text}}` of a file without nested texts.

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
    """The files in a folder of each language, as `texts` takes them: `page/map`, …

    Without hidden files and editors' backups.
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
    """The text in each language, joined, for readers whose language is unknown; once if equal."""
    said = [sentences.get(language, "") for language in LANGUAGES]
    return " / ".join(dict.fromkeys(filter(None, said)))
