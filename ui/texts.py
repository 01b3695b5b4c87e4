"""The page's texts and style sheet, merged from the files of its parts."""

from __future__ import annotations

import html
from collections.abc import Iterable

from languages import LANGUAGES, by_language, in_every, parts
from ui.modules import own_files

_OF_A_TAB = ("tab", "title")


def strings() -> dict[str, dict[str, str]]:
    """`{key: {language: text}}` of the page, with InputError's texts as `error.<code>`.

    Raises:
        ValueError: two files use the same key, or a language lacks one.
    """
    merged = {f"error.{code}": texts for code, texts in by_language("errors").items()}
    own = by_language("language")
    merged |= {f"language.{key}": own[key] for key in ("name", "tag")}
    for part in parts("page"):
        added = by_language(part)
        twice = merged.keys() & added.keys()
        if twice:
            raise ValueError(f"{part} repeats {sorted(twice)}")
        merged |= added
    return merged


def first_strings(panels: Iterable[str]) -> dict[str, dict[str, str]]:
    """The texts of a first view: of the panels only what their tabs say."""
    return {key: texts for key, texts in strings().items() if not _is_later(key, panels)}


def panel_strings(panels: Iterable[str]) -> dict[str, dict[str, str]]:
    """The other texts: they come when a panel is opened."""
    return {key: texts for key, texts in strings().items() if _is_later(key, panels)}


def _is_later(key: str, panels: Iterable[str]) -> bool:
    room, _, name = key.partition(".")
    return room in panels and name not in _OF_A_TAB


def in_every_language(key: str) -> str:
    """A text in all languages, for when the reader's language is unknown."""
    return in_every(strings()[key])


def paragraphs(key: str) -> str:
    """A text as HTML, a paragraph in each language."""
    tags = by_language("language")["tag"]
    said = strings()[key]
    return "".join(
        f'<p lang="{tags[language]}">{html.escape(said[language])}</p>' for language in LANGUAGES
    )


def style() -> str:
    """The style sheet: `base.css` first, then the others by name."""
    paths = sorted(own_files("css/*.css"), key=lambda path: (path.stem != "base", path.stem))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)
