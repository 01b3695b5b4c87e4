"""Every message exists in both languages, with the same figures, and every code is used."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from model.errors import LANGUAGES, InputError, messages

ROOT = Path(__file__).parents[2]
CODE_USE = re.compile(r"InputError\(\s*[\"'](\w+)[\"']")


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("code", sorted(messages()))
def test_both_languages_name_the_same_figures(code: str) -> None:
    sentences = messages()[code]
    assert set(sentences) == set(LANGUAGES)
    assert all(sentences.values())
    assert fields(sentences["zh"]) == fields(sentences["en"])


def test_every_code_that_is_raised_has_its_sentences() -> None:
    sources = [
        path
        for folder in ("model", "export", "ui", "deploy")
        for path in (ROOT / folder).rglob("*.py")
    ]
    raised = {code for path in sources for code in CODE_USE.findall(path.read_text("utf-8"))}
    assert {"size", "unknown_word", "temperature"} <= raised
    assert raised <= set(messages())


def test_an_input_error_is_a_value_error_with_english_text() -> None:
    error = InputError("heads", model_dim=5, num_heads=2)
    assert isinstance(error, ValueError)
    assert str(error) == error.text("en")
    assert "5" in error.text("zh")
