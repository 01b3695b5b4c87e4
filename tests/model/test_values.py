"""The table of the network: in order, complete, and known by everything that reads it."""

from __future__ import annotations

import pytest

from export.pack.formulas import CONTENT_BY_NAME
from model.answers.mistakes import FINDERS
from model.parameters import parameter_shapes
from model.teaching import TEACHING_CONFIG
from model.values import CHOICE, placed_values, traced_reads, weight_axes
from model.working.recipes import RECIPES

LAST_PARTS = {key.rpartition(".")[2] for key in placed_values(1)}


@pytest.mark.parametrize("num_layers", [1, 2, 3])
def test_a_value_reads_only_what_was_computed_before(num_layers: int) -> None:
    known: set[str] = set()
    weights = weight_axes(num_layers)
    for key, placed in placed_values(num_layers).items():
        assert {*placed.reads, *placed.looks_at} <= known, key
        assert set(placed.weights) <= set(weights), key
        known.add(key)


def test_every_weight_is_used_by_a_value() -> None:
    used = {name for placed in placed_values(2).values() for name in placed.weights}
    assert used == set(weight_axes(2))
    assert list(weight_axes(1)) == list(parameter_shapes(TEACHING_CONFIG))


def test_blocks_follow_one_another() -> None:
    places = placed_values(2)
    assert places["blocks.0.ln1.mean"].reads == ("residual_0",)
    assert places["blocks.1.ln1.mean"].reads == ("blocks.0.residual_after_ffn",)
    assert places["final_hidden.mean"].reads == ("blocks.1.residual_after_ffn",)
    assert traced_reads("blocks.1.scores", 2) == ("blocks.1.query", "blocks.1.key")
    assert traced_reads("blocks.1.ln2", 2) == ("blocks.1.residual_after_attention",)


def test_every_value_has_a_recipe_and_every_recipe_a_value() -> None:
    assert set(RECIPES) == LAST_PARTS


def test_every_value_but_the_choice_has_a_formula() -> None:
    assert [name for name, recipe in RECIPES.items() if recipe.formula is None] == [CHOICE]


def test_the_spreadsheet_s_own_formulas_are_those_of_a_value() -> None:
    assert set(CONTENT_BY_NAME) <= LAST_PARTS


def test_known_mistakes_are_those_of_a_value() -> None:
    assert set(FINDERS) <= LAST_PARTS
