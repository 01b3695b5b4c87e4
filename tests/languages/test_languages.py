"""Every text is there in every language, with the same figures; a further one is a folder."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from languages import (
    FOLDER,
    LANGUAGES,
    PLAIN,
    by_language,
    document,
    glosses,
    language_of_locale,
    texts,
)
from model.vocabulary import LESSON_WORDS

ROOT = Path(__file__).parents[2]
# What a language says only where it differs from what stands elsewhere in English.
OVER_ENGLISH = {"commands/usage", "commands/reasons"}
MAY_LACK = {"glosses"}  # the words of the lesson are Chinese
FILES = sorted(
    path.relative_to(FOLDER / PLAIN).with_suffix("").as_posix()
    for path in (FOLDER / PLAIN).rglob("*.json")
)
KEY = re.compile(r"(?:app|bench|console|deploy|export|model)\.[a-z_]+")


def leaves(part: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(part, dict):
        for key, inner in part.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(part, list):
        for at, inner in enumerate(part):
            yield from leaves(inner, (*path, str(at)))
    else:
        yield path, part


def figures(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("part", [part for part in FILES if part not in OVER_ENGLISH | MAY_LACK])
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != PLAIN])
def test_a_language_says_all_that_english_says(language: str, part: str) -> None:
    own, plain = dict(leaves(texts(language, part))), dict(leaves(texts(PLAIN, part)))
    if part == "network":  # an English value is called as in the trace unless it says otherwise
        own = {path: text for path, text in own.items() if path[0] != "values" or path in plain}
    if part == "language":
        own, plain = (
            {path: file[path] for path in file if path[0] != "locales"} for file in (own, plain)
        )
    assert own.keys() == plain.keys()
    for path, text in own.items():
        assert text, path
        if not part.startswith(("network", "page/")):  # whose braces are LaTeX's, or JavaScript's
            assert figures(text) == figures(plain[path]), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_card_of_a_language_names_the_same_figures(language: str) -> None:
    assert figures(document(language, "card")) == figures(document(PLAIN, "card"))


def sources() -> Iterator[ast.AST]:
    for room in ("model", "export", "ui", "deploy", "bench"):
        for path in (ROOT / room).rglob("*.py"):
            yield ast.parse(path.read_text("utf-8"))


def said() -> Iterator[tuple[str, set[str | None]]]:
    """The key and the figures of every text that is asked for in so many words."""
    for tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                for given in node.args if name in ("text", "say", "complain", "_fail") else ():
                    if is_key(given):
                        yield ast.literal_eval(given), {each.arg for each in node.keywords}


def test_every_text_of_the_commands_is_used_with_its_figures() -> None:
    written = {
        key: text
        for part in FILES
        if part.startswith("commands/") and part not in OVER_ENGLISH
        for key, text in texts(PLAIN, part).items()
    }
    nodes = (node for tree in sources() for node in ast.walk(tree))
    used = {ast.literal_eval(node) for node in nodes if is_key(node)}
    made = {key for key in written if re.search(r"\.(\w+_)?help_|\.(empty_event|word)$", key)}
    assert written.keys() - made - used == set()  # `made`: a command puts the key together itself
    for key, given in said():
        assert given in (figures(written[key]), {None}), key  # None: `**values`


def is_key(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and bool(KEY.fullmatch(str(node.value)))


def test_a_language_that_lacks_a_text_is_named(tmp_path: Path, monkeypatch: Any) -> None:
    for language in LANGUAGES:
        (tmp_path / language).mkdir()
        content = {"a": "x"} if language == PLAIN else {}
        (tmp_path / language / "some.json").write_text(json.dumps(content))
    monkeypatch.setattr("languages.FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"zh/some\.json lacks or adds \['a'\]"):
        by_language("some")


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("zh_CN.UTF-8", "zh"),
        ("Chinese (Simplified)_China", "zh"),
        ("en_GB", "en"),
        ("fr_FR", "en"),
        ("", "en"),
    ],
)
def test_a_locale_has_its_language(locale: str, language: str) -> None:
    assert language_of_locale(locale) == language


def test_every_word_of_the_lesson_is_glossed_where_words_are() -> None:
    assert glosses().keys() == {"en"}
    for table in glosses().values():
        assert tuple(table) == LESSON_WORDS.words
        assert all(table.values())


ASKED = """
import json
from export.pack.card import model_card
from export.pack.spreadsheet import _said
from languages import LANGUAGES
from model.console import chosen_language, Console
from model.errors import InputError
from model.stages import texts
from ui.texts import in_every_language, strings
print(json.dumps({
    "languages": LANGUAGES,
    "chosen": chosen_language(["--lang", "xx"]),
    "help": Console("xx").text("console.help_help"),
    "error": InputError("heads", model_dim=5, num_heads=2).text("xx"),
    "page": strings()["shell.lead"]["xx"],
    "name": strings()["language.name"]["xx"],
    "noscript": in_every_language("shell.no_script"),
    "stage": texts()["stages"]["ln1"]["title"]["xx"],
    "value": texts()["values"]["attention_update"]["xx"],
    "card": model_card({}, {}, {}),
    "sheet": _said("title"),
}))
"""


def test_a_third_language_is_a_folder_and_a_name(tmp_path: Path) -> None:
    """English with every text marked; all that speaks gets it from the folder."""
    shutil.copytree(FOLDER, tmp_path / "languages", ignore=shutil.ignore_patterns("__pycache__"))
    listed = tmp_path / "languages" / "__init__.py"
    line = 'LANGUAGES = ("zh", "en")'
    assert line in listed.read_text("utf-8")
    listed.write_text(listed.read_text("utf-8").replace(line, 'LANGUAGES = ("zh", "en", "xx")'))
    marked = tmp_path / "languages" / "xx"
    shutil.copytree(tmp_path / "languages" / "en", marked)
    for path in [*marked.rglob("*.json"), *marked.rglob("*.md")]:
        text = path.read_text("utf-8")
        if path.suffix == ".md":
            path.write_text(f"x-{text}", "utf-8")
        elif path.stem not in ("usage", "reasons"):
            path.write_text(json.dumps(_marked(json.loads(text))), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stdout)
    assert said["languages"] == ["zh", "en", "xx"]
    assert said["chosen"] == "xx"
    assert said["value"] == "attention update"
    for key in ("help", "error", "page", "name", "stage"):
        assert said[key].startswith("x-"), key
    for key in ("noscript", "card", "sheet"):
        assert "x-" in said[key], key


def _marked(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _marked(inner) for key, inner in part.items()}
    return [_marked(inner) for inner in part] if isinstance(part, list) else f"x-{part}"
