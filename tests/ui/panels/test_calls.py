"""What the panels' calls answer, checked against values worked out another way."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from model.parameters import parameter_shapes
from model.switches import switch_names
from model.teaching import TEACHING_CONFIG, teaching_state
from tests.switched_reference import switched_logits
from ui.panels.compare import compare_runs
from ui.panels.prompts import behaviour
from ui.panels.sampling import continuations, sampling_explained
from ui.panels.weights import edit_weight, set_dropout, switch_effects, weights
from ui.views import step, view

PROMPT: dict[str, Any] = {"tokens": [0, 1], "lang": "en"}
LESSON_B = {**PROMPT, "tokens": [4, 1]}
QKV = "blocks.0.attention.qkv.weight"
TREE = {**PROMPT, "sampling": {"mode": "sample"}}


def probabilities(off: str) -> Any:
    logits = switched_logits(teaching_state(np.float64), [0, 1], 2, 1, off)[-1]
    exponentials = np.exp(logits - logits.max())
    return exponentials / exponentials.sum()


# ---- weights ----


def test_every_weight_is_in_exactly_one_table() -> None:
    cells: dict[str, int] = {}
    for table in weights(PROMPT)["tables"]:
        count = np.size(table["originals"])
        cells[table["parameter"]] = cells.get(table["parameter"], 0) + count
    shapes = parameter_shapes(TEACHING_CONFIG)
    assert cells == {name: int(np.prod(shape)) for name, shape in shapes.items()}


def test_tables_show_the_decimals_of_the_lesson() -> None:
    tables = {table["name"]: table for table in weights(PROMPT)["tables"]}
    assert tables["token_table"]["originals"][0] == [0.2, -0.1, 0.7, 0.3]
    assert tables["value"]["first"] == 8
    assert tables["output_bias"]["originals"] == [-0.2, 0.1, 0.0, 0.0, 0.0]


def edit(text: str, index: str = "4,0", **more: Any) -> Any:
    return edit_weight({**PROMPT, "parameter": QKV, "index": index, "text": text, **more})


def test_a_typed_weight_comes_back_as_an_edit() -> None:
    assert edit("−0.5") == {"edits": {QKV: {"4,0": -0.5}}}
    assert edit("1") == {"edits": {QKV: {"4,0": None}}}  # which it was


def test_a_pasted_block_fills_cells_or_none() -> None:
    pasted = edit("2\t3\n4\t5\n")
    assert pasted == {"edits": {QKV: {"4,0": 2.0, "4,1": 3.0, "5,0": 4.0, "5,1": 5.0}}}
    beyond = edit("1\t2", index="4,3")
    assert beyond["error"]["code"] == "edit_index"
    along = edit_weight(
        {**PROMPT, "parameter": "lm_head.bias", "index": "3", "text": "7\n8", "lang": "en"}
    )
    assert along == {"edits": {"lm_head.bias": {"3": 7.0, "4": 8.0}}}


@pytest.mark.parametrize("text", ["", "abc", "1e5", "nan", "1\tx", "<img src=x>"])
def test_what_is_no_weight_is_refused_and_named(text: str) -> None:
    error = edit(text)["error"]
    assert error["code"] == "edit_value"
    assert "The old value stays" in error["text"]


def test_effects_are_those_of_an_independent_network() -> None:
    answer = switch_effects(PROMPT)
    assert answer["names"] == list(switch_names(TEACHING_CONFIG))
    for effect in answer["effects"]:
        on, off = probabilities("nothing"), probabilities(effect["name"])
        np.testing.assert_allclose(effect["on"], on, rtol=0, atol=1e-6)
        np.testing.assert_allclose(effect["off"], off, rtol=0, atol=1e-6)
        np.testing.assert_allclose(effect["delta"], off - on, rtol=0, atol=2e-6)
        assert sum(effect["delta"]) == pytest.approx(0, abs=1e-6)


def test_effects_start_from_what_is_switched_now() -> None:
    now = {**PROMPT, "switches": {"final_norm": False, "dropout": 0.5, "dropout_seed": 2}}
    answer = switch_effects(now)
    assert answer["off"] == ["final_norm"]
    present = view(now)["probabilities"]
    for effect in [*answer["effects"], answer["dropout_effect"]]:
        is_off = effect["name"] in ("final_norm", "dropout")
        np.testing.assert_array_equal(effect["off" if is_off else "on"], present)


def test_an_empty_sentence_has_switches_without_effects() -> None:
    answer = switch_effects({**PROMPT, "tokens": []})
    assert answer["effects"] == []
    assert answer["names"]


def test_dropout_is_checked_before_it_counts() -> None:
    given = {**PROMPT, "switches": {"final_norm": False}, "rate": "0.3", "seed": "12"}
    expected = {"final_norm": False, "dropout": 0.3, "dropout_seed": 12}
    assert set_dropout(given) == {"switches": expected}
    assert set_dropout({**PROMPT, "rate": "1", "seed": "0"})["error"]["code"] == "dropout"
    assert set_dropout({**PROMPT, "rate": "x", "seed": "0"})["error"]["code"] == "dropout"
    assert set_dropout({**PROMPT, "rate": "0.1", "seed": "-1"})["error"]["code"] == "seed"


# ---- compare ----


def test_the_lessons_a_and_b_part_at_the_scores() -> None:
    answer = compare_runs({"left": PROMPT, "right": LESSON_B})
    values = {value["name"]: value for value in answer["values"]}
    assert answer["first"] == "token_embeddings"
    assert answer["first_last"] == "blocks.0.scores"
    assert values["residual_0"]["last"]["max_abs"] == 0
    assert values["residual_0"]["whole"]["max_abs"] == pytest.approx(0.9)
    assert values["blocks.0.attention_update"]["last"]["max_abs"] == pytest.approx(0.2857, abs=5e-5)
    assert answer["changed"]["residual_0"] == [[True] * 4, [False] * 4]
    left, right = view(PROMPT)["probabilities"], view(LESSON_B)["probabilities"]
    np.testing.assert_allclose(answer["probability_delta"], np.subtract(right, left), atol=1e-12)


def test_a_run_is_the_same_as_itself() -> None:
    answer = compare_runs({"left": PROMPT, "right": PROMPT})
    assert answer["first"] is None
    assert answer["first_last"] is None
    assert all(value["whole"]["same"] for value in answer["values"])


def test_changed_weights_beside_the_original() -> None:
    right = {**PROMPT, "edits": {"blocks.0.ffn.2.bias": {"2": 1}}}
    answer = compare_runs({"left": PROMPT, "right": right})
    assert answer["first"] == answer["first_last"] == "blocks.0.ffn_update"


def test_what_cannot_be_compared_is_said_and_stays_json() -> None:
    shorter = {**PROMPT, "tokens": [1], "switches": {"causal_mask": False}}
    unmasked = {**PROMPT, "switches": {"causal_mask": False}}
    for right in (shorter, unmasked, {**PROMPT, "model": "trained"}):
        answer = compare_runs({"left": PROMPT, "right": right})
        json.dumps(answer, allow_nan=False)
    masked = {
        value["name"]: value
        for value in compare_runs({"left": PROMPT, "right": unmasked})["values"]
    }
    assert masked["blocks.0.masked_scores"]["whole"]["max_abs"] is None
    assert not masked["blocks.0.masked_scores"]["whole"]["same"]
    trained = compare_runs({"left": PROMPT, "right": {**PROMPT, "model": "trained"}})
    in_both = {value["name"]: value["whole"]["in_both"] for value in trained["values"]}
    assert in_both["blocks.0.ln1"]
    assert not in_both["blocks.1.ln1"]


def test_an_empty_side_is_refused() -> None:
    answer = compare_runs({"left": PROMPT, "right": {**PROMPT, "tokens": []}, "lang": "en"})
    assert answer["error"]["code"] == "empty_prompt"


# ---- sampling ----


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("temperature", [1, 2.5, 1e-6, 1e-300])
def test_the_explained_draw_is_the_one_that_generation_makes(seed: int, temperature: float) -> None:
    sampling = {"mode": "sample", "temperature": temperature, "top_k": 4, "top_p": 0.95}
    request = {**PROMPT, "sampling": sampling, "seed": seed, "index": 3}
    answer = sampling_explained(request)
    json.dumps(answer, allow_nan=False)
    chosen, draw = answer["chosen"], answer["draw"]
    assert chosen == step(request)["next_id"]
    assert draw["from"][chosen] <= draw["uniform"] < draw["to"][chosen] + 1e-12
    for name in ("after_temperature", "after_top_k", "after_top_p", "probabilities"):
        assert sum(answer["steps"][name]) == pytest.approx(1, abs=1e-9)


def test_argmax_draws_nothing() -> None:
    answer = sampling_explained({**PROMPT, "sampling": {"mode": "argmax"}})
    assert answer["draw"] is None
    assert answer["chosen"] == 3


def test_top_k_and_top_p_step_by_step() -> None:
    sampling = {"mode": "sample", "temperature": 1, "top_k": 3, "top_p": 0.8}
    steps = sampling_explained({**PROMPT, "sampling": sampling})["steps"]
    full = probabilities("nothing")
    kept = np.where(full >= np.sort(full)[-3], full, 0)
    np.testing.assert_allclose(steps["after_temperature"], full, atol=1e-6)
    np.testing.assert_allclose(steps["after_top_k"], kept / kept.sum(), atol=1e-6)
    two = np.where(full >= np.sort(full)[-2], full, 0)  # 学习 and 猫 reach 0.8 of the three
    np.testing.assert_allclose(steps["after_top_p"], two / two.sum(), atol=1e-6)


def leaves(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [leaf for node in nodes for leaf in leaves(node["children"]) or [node]]


def test_the_tree_has_625_leaves_that_sum_to_one_the_most_probable_first() -> None:
    answer = continuations(TREE)
    found = leaves(answer["nodes"])
    assert (answer["depth"], answer["leaves"], len(found)) == (4, 625, 625)
    assert answer["sum"] == pytest.approx(1, abs=1e-12)
    assert sum(leaf["share"] for leaf in found) == pytest.approx(1, abs=1e-12)
    shares = [node["share"] for node in answer["nodes"]]
    assert shares == sorted(shares, reverse=True)
    first = answer["nodes"][0]
    assert first["word"] == 3
    assert sum(node["share"] for node in first["children"]) == pytest.approx(first["share"])


# ---- every prompt ----


def test_all_30_prompts_and_their_cycle() -> None:
    answer = behaviour(PROMPT)
    assert len(answer["rows"]) == 30
    for row in answer["rows"]:
        shown = view({**PROMPT, "tokens": row["tokens"]})["probabilities"]
        np.testing.assert_allclose(row["probabilities"], shown, rtol=0, atol=1e-6)
        assert row["next"] == int(np.argmax(shown))
    walk = answer["walk"]
    assert walk["cycles"] == [[[1, 3], [3, 1]]]
    for node in walk["nodes"]:
        at, steps = node["window"], 0
        while at not in walk["cycles"][0]:
            at, steps = [*at, answer["rows"][row_of(answer, at)]["next"]][-2:], steps + 1
        assert node["steps"] == steps


def row_of(answer: dict[str, Any], tokens: list[int]) -> int:
    return next(at for at, row in enumerate(answer["rows"]) if row["tokens"] == tokens)


def test_behaviour_follows_changes_and_longer_contexts() -> None:
    changed = behaviour({**PROMPT, "edits": {"lm_head.bias": {"2": 100}}})
    assert {row["next"] for row in changed["rows"]} == {2}
    assert changed["walk"]["cycles"] == [[[2, 2]]]
    trained = behaviour({**PROMPT, "model": "trained"})
    assert (trained["longest"], trained["context_length"], len(trained["rows"])) == (4, 8, 780)
    drawn = trained["drawn"]
    assert (drawn["from"], drawn["to"], drawn["seed"], len(drawn["rows"])) == (5, 8, 0, 100)
    assert changed["drawn"] is None
    poems = behaviour({**PROMPT, "model": "poems"})
    assert (poems["longest"], len(poems["rows"]), len(poems["drawn"]["rows"])) == (1, 75, 100)
    assert trained["walk"]["complete"]
