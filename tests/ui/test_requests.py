"""What a browser sends is checked before anything uses it."""

from __future__ import annotations

from typing import Any

import pytest

from model.errors import InputError
from model.sampling import SamplingSettings
from model.switches import Switches
from ui.changes import Change
from ui.fields import as_number, for_browser
from ui.models import model_entry
from ui.requests import read_change, read_prompt, read_sampling
from ui.sentences import read_text, read_tokens

TEACHING = model_entry("teaching")


def test_a_prompt_has_defaults_and_a_window() -> None:
    prompt = read_prompt({"tokens": [0, 1, 3]})
    assert prompt.entry.id == "teaching"
    assert prompt.engine == "onnxruntime"
    assert (prompt.window, prompt.window_start) == ([1, 3], 1)
    assert not prompt.change


def test_an_empty_sentence_is_a_prompt() -> None:
    assert read_prompt({}).window == []


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"tokens": "01"}, "ids_dtype"),
        ({"tokens": [0, 1.5]}, "ids_dtype"),
        ({"tokens": [True]}, "ids_dtype"),
        ({"tokens": [[0]]}, "ids_dtype"),
        ({"tokens": None}, "ids_dtype"),
        ({"tokens": [5]}, "ids_range"),
        ({"tokens": [-1]}, "ids_range"),
        ({"tokens": [10**30]}, "ids_range"),
        ({"tokens": [0] * 257}, "token_limit"),
        ({"engine": "tensorflow"}, "choice"),
        ({"engine": None}, "choice"),
        ({"engine": ["torch"]}, "choice"),
        ({"model": "own:nobody"}, None),
        ({"model": "../teaching"}, "choice"),
        ({"model": 5}, "choice"),
        ({"edits": [1]}, "choice"),
        ({"switches": "all"}, "choice"),
    ],
)
def test_a_wrong_request_is_refused(request_: dict[str, Any], code: str | None) -> None:
    with pytest.raises(InputError) as caught:
        read_prompt(request_)
    assert code is None or caught.value.code == code


def test_the_longest_sentence_and_text_are_taken() -> None:
    assert len(read_tokens([0] * 256, TEACHING)) == 256
    assert len(read_text("我 " * 256, TEACHING)) == 256


@pytest.mark.parametrize(
    ("text", "code"), [("我" * 2001, "text_length"), ("我" * 257, "token_limit"), (7, "text_type")]
)
def test_longer_text_is_refused(text: Any, code: str) -> None:
    with pytest.raises(InputError) as caught:
        read_text(text, TEACHING)
    assert caught.value.code == code


def test_argmax_needs_no_numbers_and_sampling_takes_them_as_typed() -> None:
    assert read_sampling({"mode": "argmax", "temperature": "x"}) == SamplingSettings()
    assert read_sampling(None) == SamplingSettings()
    typed = {"mode": "sample", "temperature": "0.8", "top_k": 3.0, "top_p": "1"}
    assert read_sampling(typed) == SamplingSettings(0.8, 3, 1)


@pytest.mark.parametrize(
    ("sampling", "code"),
    [
        ({"mode": "greedy"}, "choice"),
        ({"mode": "sample", "temperature": "warm"}, "temperature"),
        ({"mode": "sample", "temperature": ""}, "temperature"),
        ({"mode": "sample", "temperature": "nan"}, "temperature"),
        ({"mode": "sample", "temperature": [1]}, "temperature"),
        ({"mode": "sample", "top_k": 1.5}, "top_k"),
        ({"mode": "sample", "top_p": "1e-999"}, "top_p"),
    ],
)
def test_a_wrong_setting_names_itself(sampling: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        read_sampling(sampling)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("value", "number"),
    [("42", 42), ("4e2", 400), (7.0, 7), (0.5, 0.5), ("x", "x"), (None, None)],
)
def test_a_field_is_a_number_where_its_text_is_one(value: Any, number: Any) -> None:
    assert as_number(value) == number
    assert type(as_number(value)) is type(number)


@pytest.mark.parametrize("text", ["1" * 400, "1" * 5000])
def test_what_is_longer_than_any_number_here_is_refused_as_it_was_typed(text: str) -> None:
    assert as_number(text) == text


def test_every_field_of_sampling_reads_what_the_others_read() -> None:
    typed = {"temperature": "０，８", "top_k": "２", "top_p": "≈95%"}
    assert read_sampling({"mode": "sample", **typed}) == SamplingSettings(0.8, 2, 0.95)


def test_the_largest_seed_is_a_browsers_digits_and_read_exactly() -> None:
    assert for_browser(2**63 - 1) == "9223372036854775807"
    assert as_number(for_browser(2**63 - 1)) == 2**63 - 1
    assert for_browser(2**53 - 1) == 2**53 - 1
    asked = {"switches": {"dropout": "10%", "dropout_seed": "9223372036854775807"}}
    read = read_change(asked, model_entry("teaching").config)
    assert read == Change({}, Switches(dropout=0.1, dropout_seed=2**63 - 1))


@pytest.mark.parametrize("typed", ["1e999", "-1e400", "NaN", "Infinity"])
def test_what_is_no_finite_number_is_refused_as_it_was_typed(typed: str) -> None:
    assert as_number(typed) == typed
    with pytest.raises(InputError) as caught:
        read_sampling({"mode": "sample", "temperature": typed})
    assert (caught.value.code, f"'{typed}'" in str(caught.value)) == ("temperature", True)
