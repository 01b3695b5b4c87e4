"""The stages of the network: complete, in order, and told in both languages."""

from __future__ import annotations

import pytest

from languages import LANGUAGES, PLAIN
from languages import texts as language_texts
from model.config import MiniGPTConfig
from model.parameters import parameter_shapes
from model.stages import (
    axis_sizes,
    stage_of,
    stages,
    texts,
    value_axes,
    value_name,
)
from model.teaching import TEACHING_CONFIG
from model.trace import trace_shapes
from model.values import bare_name, weight_axes
from model.working import derived_keys
from tests.model.working.networks import teaching_source

TWO_BLOCKS = MiniGPTConfig(5, 8, 4, 2, 2)

IN_ORDER = [
    "residual_0",
    "ln1",
    "query",
    "scores",
    "masked_scores",
    "attention_probs",
    "head_outputs",
    "heads_joined",
    "attention_update",
    "residual_after_attention",
    "ln2",
    "ffn_hidden",
    "ffn_activation",
    "ffn_update",
    "residual_after_ffn",
    "final_hidden",
    "logits",
    "vocabulary_probs",
    "next_id",
]


def test_the_stops_of_the_lesson_in_its_order() -> None:
    assert [stage.name for stage in stages(TEACHING_CONFIG)] == IN_ORDER


def test_a_second_block_repeats_the_stops_of_a_block() -> None:
    two = stages(TWO_BLOCKS)
    assert [stage.name for stage in two] == IN_ORDER[:15] + IN_ORDER[1:15] + IN_ORDER[15:]
    assert [stage.block for stage in two] == [None] + [0] * 14 + [1] * 14 + [None] * 4
    assert two[15].reads == ("blocks.0.residual_after_ffn",)
    assert two[-4].reads == ("blocks.1.residual_after_ffn",)


@pytest.mark.parametrize("config", [TEACHING_CONFIG, TWO_BLOCKS])
def test_every_value_and_weight_has_one_home(config: MiniGPTConfig) -> None:
    shown = [key for stage in stages(config) for key in (*stage.values, *stage.weights)]
    assert len(shown) == len(set(shown))
    everything = {*trace_shapes(config.num_layers), *derived_keys(config)}
    assert set(shown) == everything | set(parameter_shapes(config))
    for stage in stages(config):
        assert stage_of(stage.key, config) == stage
    assert stage_of("token_ids", config) is None


def test_values_stand_in_the_order_of_the_trace() -> None:
    shown = [key for stage in stages(TWO_BLOCKS) for key in stage.values]
    traced = [key for key in shown if key in trace_shapes(2)]
    assert traced == list(trace_shapes(2))


def test_what_a_stop_reads_was_computed_before() -> None:
    known: set[str] = set()
    for stage in stages(TWO_BLOCKS):
        assert set(stage.reads) <= known
        known |= set(stage.values)


def test_letters_give_the_sizes_met() -> None:
    source = teaching_source((4, 1))
    sizes = axis_sizes(TEACHING_CONFIG, 2)
    for key, axes in value_axes(TEACHING_CONFIG).items():
        assert source.array(key).shape == tuple(sizes[axis] for axis in axes), key
    more = {"L": 2, "3C": 12} | sizes
    for name, axes in weight_axes(TEACHING_CONFIG.num_layers).items():
        assert source.weights[name].shape == tuple(more[axis] for axis in axes), name


def test_everything_is_told_in_both_languages() -> None:
    told = texts()
    assert list(told["stages"]) == IN_ORDER
    named = {bare_name(key) for key in value_axes(TEACHING_CONFIG)}
    assert set(told["values"]) == {name.rpartition(".")[2] for name in named}
    assert set(told["weights"]) == {bare_name(key) for key in parameter_shapes(TEACHING_CONFIG)}
    sentences = [stage[part] for stage in told["stages"].values() for part in ("title", "sentence")]
    for text in (*sentences, *told["values"].values(), *told["weights"].values()):
        assert set(text) == set(LANGUAGES)
        assert all(text.values())


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != PLAIN])
def test_a_language_other_than_english_names_every_value(language: str) -> None:
    named = {bare_name(key).rpartition(".")[2] for key in value_axes(TEACHING_CONFIG)}
    assert set(language_texts(language, "network")["values"]) == named


def test_an_english_value_without_a_name_is_called_as_in_the_trace() -> None:
    assert "attention_update" not in language_texts(PLAIN, "network")["values"]
    assert value_name("attention_update", PLAIN) == "attention update"
