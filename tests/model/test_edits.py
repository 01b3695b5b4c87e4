"""Edits of single weights: put in where they belong, and refused with a reason."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from model import InputError
from model.edits import LARGEST_WEIGHT, apply_edits, check_edits, read_weight
from model.parameters import parameter_shapes
from model.teaching import TEACHING_CONFIG, teaching_state

SHAPES = parameter_shapes(TEACHING_CONFIG)
QKV = "blocks.0.attention.qkv.weight"


def test_an_edit_changes_its_cell_and_nothing_else() -> None:
    before, untouched = teaching_state(), teaching_state()
    after = apply_edits(before, {QKV: {"11,3": 2.5}, "lm_head.bias": {"0": -1}})
    assert after[QKV][11, 3] == 2.5
    assert after["lm_head.bias"][0] == -1
    changed = sum(int(np.count_nonzero(after[name] != untouched[name])) for name in untouched)
    assert changed == 2
    assert all(np.array_equal(before[name], untouched[name]) for name in untouched)
    assert {str(values.dtype) for values in after.values()} == {"float32"}


@pytest.mark.parametrize("nothing", [None, {}, {QKV: {}}])
def test_no_edit_is_the_same_weights(nothing: Any) -> None:
    assert check_edits(nothing, SHAPES) == {}


@pytest.mark.parametrize("value", [LARGEST_WEIGHT, -LARGEST_WEIGHT, 0, 1e-30])
def test_every_value_within_the_limit_is_taken(value: float) -> None:
    assert check_edits({"lm_head.bias": {"4": value}}, SHAPES) == {"lm_head.bias": {"4": value}}


@pytest.mark.parametrize(
    ("edits", "code", "figures"),
    [
        ("all", "edits_form", ("all",)),
        ({QKV: 3}, "edits_form", ("3",)),
        ({"blocks.1.ln1.weight": {"0": 1}}, "edit_parameter", ("blocks.1.ln1.weight",)),
        ({QKV: {"12,0": 1}}, "edit_index", (QKV, "12,0", "[12, 4]")),
        ({QKV: {"-1,0": 1}}, "edit_index", ("-1,0",)),
        ({QKV: {"0": 1}}, "edit_index", ("[12, 4]",)),
        ({QKV: {"0,0,0": 1}}, "edit_index", ("0,0,0",)),
        ({QKV: {" 0,0": 1}}, "edit_index", (" 0,0",)),
        ({QKV: {"٠,0": 1}}, "edit_index", ("٠,0",)),
        ({QKV: {"": 1}}, "edit_index", ("[]",)),
        ({QKV: {0: 1}}, "edit_index", ("0",)),
        ({QKV: {"0,0": math.nan}}, "edit_value", (f"{QKV}[0,0]", "nan")),
        ({QKV: {"0,0": math.inf}}, "edit_value", ("inf", "1000")),
        ({QKV: {"0,0": 1000.5}}, "edit_value", ("1000.5",)),
        ({QKV: {"0,0": 10**400}}, "edit_value", ("1000000",)),
        ({QKV: {"0,0": "1"}}, "edit_value", ("1",)),
        ({QKV: {"0,0": True}}, "edit_value", ("True",)),
        ({QKV: {"0,0": None}}, "edit_value", ("None",)),
    ],
)
def test_wrong_edits_are_named(edits: Any, code: str, figures: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        apply_edits(teaching_state(), edits)
    assert caught.value.code == code
    for figure in figures:
        assert figure in str(caught.value)
        assert figure in caught.value.text("zh")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        (" 1e2 ", 100.0),
        ("−0.25", -0.25),
        ("１．５", 1.5),
        ("1,5", 1.5),
        ("-0", 0.0),
        (3, 3.0),
    ],
)
def test_what_a_person_types_is_read(text: Any, value: float) -> None:
    assert read_weight(text, "here") == value


@pytest.mark.parametrize("text", ["", " ", "1_0", "abc", "nan", "inf", "1e9", "1 2", None])
def test_what_is_no_weight_is_refused(text: Any) -> None:
    with pytest.raises(InputError) as caught:
        read_weight(text, "lm_head.bias[0]")
    assert caught.value.code == "edit_value"
    assert "lm_head.bias[0]" in str(caught.value)
