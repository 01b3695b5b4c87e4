"""Every message exists in every language, with the same figures, and every code is used."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from languages import LANGUAGES, by_language
from model.errors import InputError

ROOT = Path(__file__).parents[2]
CODE_USE = re.compile(r"InputError\(\s*[\"'](\w+)[\"']")


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("code", sorted(by_language("errors")))
def test_every_language_names_the_same_figures(code: str) -> None:
    sentences = by_language("errors")[code]
    assert set(sentences) == set(LANGUAGES)
    assert all(sentences.values())
    figures = fields(sentences["en"])
    assert all(fields(sentence) == figures for sentence in sentences.values())


def test_every_code_that_is_raised_has_its_sentences() -> None:
    sources = [
        path
        for folder in ("model", "export", "ui", "deploy", "bench")
        for path in (ROOT / folder).rglob("*.py")
    ]
    raised = {code for path in sources for code in CODE_USE.findall(path.read_text("utf-8"))}
    assert {"size", "unknown_word", "temperature"} <= raised
    assert raised <= set(by_language("errors"))


def test_an_input_error_is_a_value_error_with_english_text() -> None:
    error = InputError("heads", model_dim=5, num_heads=2)
    assert isinstance(error, ValueError)
    assert str(error) == error.text("en")
    assert "5" in error.text("zh")


LONG = {
    "digits": 10**3_999,
    "more digits than are written out": 10**5_000,
    "dimensions": tuple(range(100_000)),
    "names": ["x" * 9] * 100_000,
    "text": "x" * 100_000,
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_sent_is_repeated_in_part(name: str, language: str) -> None:
    assert len(InputError("seed", value=LONG[name]).text(language)) < 700


def test_a_number_that_is_short_is_written_by_its_own_format() -> None:
    error = InputError("edit_value", place="a", value="b", limit=1000.0)
    assert "-1000 to 1000" in error.text("en")
