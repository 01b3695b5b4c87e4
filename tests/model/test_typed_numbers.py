"""One reader of typed numbers: the cases that the browser's reader is held to too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from model.answers import read_answer
from model.edits import LARGEST_WEIGHT, read_weight
from model.errors import InputError
from model.typed_numbers import read_number

CASES: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "typed_numbers.json").read_text(encoding="utf-8")
)


def value_of(case: dict[str, Any]) -> int | float:
    value: int | float | str = case["value"]
    if not isinstance(value, str):
        return value
    return float(value) if "inf" in value else int(value)


@pytest.mark.parametrize("case", CASES["read"], ids=lambda case: case["text"])
def test_what_is_typed_is_read(case: dict[str, Any]) -> None:
    typed = read_number(case["text"])
    assert typed is not None
    assert (typed.value, typed.decimals) == (value_of(case), case["decimals"])
    assert str(typed.value) != "-0.0"
    whole = isinstance(case["value"], int) or str(case["value"]).isdigit()
    assert isinstance(typed.value, int) == whole


@pytest.mark.parametrize("text", CASES["refused"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize("case", CASES["two_readings"], ids=lambda case: case["text"])
def test_what_could_be_two_numbers_is_refused_with_both(case: dict[str, str]) -> None:
    for read in (read_number, read_answer, lambda text: read_weight(text, "here")):
        with pytest.raises(InputError) as caught:
            read(case["text"])
        assert caught.value.code == "number_comma"
        for language in ("zh", "en"):
            assert case["decimal"] in caught.value.text(language)
            assert case["whole"] in caught.value.text(language)


@pytest.mark.parametrize("case", CASES["read"], ids=lambda case: case["text"])
def test_answers_and_weights_read_the_same(case: dict[str, Any]) -> None:
    value = value_of(case)
    assert read_answer(case["text"]).value == float(value)
    if abs(value) <= LARGEST_WEIGHT:
        assert read_weight(case["text"], "here") == value
