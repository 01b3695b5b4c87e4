"""A learner's number is judged, and a usual mistake is named."""

from __future__ import annotations

import math

import numpy as np
import pytest

from model.answers import judge, read_answer
from model.answers.mistakes import mistakes
from model.answers.reading import Answer
from model.config import MiniGPTConfig
from model.errors import InputError
from model.working import CHOICE, Source
from tests.model.working.networks import random_source, teaching_source
from tests.model.working.test_working import every_cell

RANDOM = MiniGPTConfig(5, 8, 4, 2, 2)


@pytest.fixture(scope="module")
def prompt_a() -> Source:
    return teaching_source((0, 1))


def verdict(source: Source, key: str, cell: tuple[int, ...], text: str) -> tuple[str, str | None]:
    found = judge(source, key, cell, read_answer(text))
    return found.grade, found.hint.key if found.hint else None


@pytest.mark.parametrize(
    ("key", "cell", "text", "expected"),
    [
        ("blocks.0.head_outputs", (0, 1, 0), "0.9944", ("right", None)),
        ("blocks.0.head_outputs", (0, 1, 0), "０．９９４４", ("right", None)),
        ("blocks.0.head_outputs", (0, 1, 0), "0,9944", ("right", None)),
        ("blocks.0.head_outputs", (0, 1, 0), "0.99", ("nearly", "more_decimals")),
        ("blocks.0.head_outputs", (0, 1, 0), "0.9950", ("nearly", "rounding")),
        ("blocks.0.head_outputs", (0, 1, 0), "-0.9944", ("nearly", "sign")),
        ("blocks.0.head_outputs", (0, 1, 0), "0.5025", ("nearly", "plain_mean")),
        ("logits", (1, 3), "2.1335", ("nearly", "rounding")),
        ("logits", (1, 3), "2.1336", ("right", None)),
        ("logits", (1, 0), "1.3128", ("nearly", "forgot_bias")),
        ("blocks.0.scores", (0, 1, 0), "-0.7439", ("nearly", "forgot_scale")),
        ("blocks.0.scores", (0, 1, 0), "-0.3719", ("nearly", "divided_by_size")),
        ("blocks.0.masked_scores", (0, 0, 1), "−∞", ("right", None)),
        ("blocks.0.masked_scores", (0, 0, 1), "-0.5260", ("nearly", "forgot_mask")),
        ("blocks.0.masked_scores", (0, 0, 1), "0.3", ("wrong", "start_again")),
        ("blocks.0.attention_probs", (0, 0, 1), "0", ("right", None)),
        ("blocks.0.attention_probs", (0, 1, 0), "0.5910", ("nearly", "forgot_divide_sum")),
        ("blocks.0.attention_probs", (0, 1, 0), "3.7526", ("nearly", "stopped_at")),
        ("blocks.0.ln1", (1, 0), "1.0571", ("nearly", "sample_variance")),
        ("blocks.0.ln1", (1, 0), "2.1228", ("nearly", "forgot_mean")),
        ("blocks.0.ln1", (1, 0), "0.2875", ("nearly", "stopped_at")),
        ("blocks.0.residual_after_attention", (1, 0), "0.9944", ("nearly", "forgot_residual")),
        ("blocks.0.residual_after_attention", (1, 0), "0.4092", ("nearly", "other_cell")),
        ("blocks.0.residual_after_attention", (1, 0), "7", ("wrong", "start_again")),
        ("blocks.0.ffn_activation", (1, 2), "0", ("nearly", "relu")),
        ("residual_0", (1, 0), "0.6", ("nearly", "forgot_position")),
        ("vocabulary_probs", (1, 3), "2.1336", ("nearly", "forgot_softmax")),
        (CHOICE, (1,), "3", ("right", None)),
        (CHOICE, (1,), "4", ("wrong", "not_largest")),
    ],
)
def test_verdicts(
    prompt_a: Source, key: str, cell: tuple[int, ...], text: str, expected: tuple[str, str | None]
) -> None:
    assert verdict(prompt_a, key, cell, text) == expected


def test_every_number_as_shown_is_right(prompt_a: Source) -> None:
    for key, cell in every_cell(prompt_a):
        value = prompt_a.operand(key, *cell).value
        text = f"{value:.4f}" if math.isfinite(value) else "-inf"
        assert verdict(prompt_a, key, cell, text) == ("right", None), (key, cell)


def test_a_number_that_belongs_nowhere_is_wrong(prompt_a: Source) -> None:
    for key, cell in every_cell(prompt_a):
        assert verdict(prompt_a, key, cell, "123.4567")[0] == "wrong", (key, cell)


def test_a_mistake_is_recognised_by_its_number() -> None:
    """In a network without coincidences each mistake's number names that mistake."""
    source = random_source(RANDOM, (3, 1, 4), scale=1.5)
    recognised = set()
    for key, cell in every_cell(source):
        value = source.operand(key, *cell).value
        for name, number in mistakes(source, key, cell):
            if math.isfinite(value) and abs(number - value) <= 0.02:
                continue
            found = judge(source, key, cell, Answer(round(number, 4), 4))
            if found.hint and found.hint.key == name:
                recognised.add(name)
    assert recognised == ALL_MISTAKES


ALL_MISTAKES = {
    "divided_by_size",
    "forgot_bias",
    "forgot_divide",
    "forgot_divide_sum",
    "forgot_exp",
    "forgot_gain",
    "forgot_gelu",
    "forgot_mask",
    "forgot_matrix",
    "forgot_mean",
    "forgot_norm",
    "forgot_position",
    "forgot_residual",
    "forgot_root",
    "forgot_root_back",
    "forgot_scale",
    "forgot_shift",
    "forgot_softmax",
    "forgot_token",
    "forgot_update",
    "forgot_weights",
    "key_for_value",
    "other_head",
    "other_row",
    "plain_mean",
    "query_key_swapped",
    "relu",
    "rows_for_columns",
    "sample_variance",
    "silu",
    "softmax_by_column",
    "subtracted",
    "weights_reversed",
}


def test_the_other_cell_is_named(prompt_a: Source) -> None:
    found = judge(prompt_a, "logits", (1, 3), read_answer("1.7397"))
    assert found.hint is not None
    assert (found.hint.key, found.hint.values) == ("other_cell", {"cell": [1, 4]})


@pytest.mark.parametrize(
    "text", ["", "abc", "1.2.3", "0x10", "1e1000", "--1", "1_0", "٣", None, "9" * 41]
)
def test_what_is_no_number_is_refused(text: object) -> None:
    with pytest.raises(InputError) as caught:
        read_answer(text)
    assert caught.value.code == "answer"


def test_a_cell_that_is_not_there_is_refused(prompt_a: Source) -> None:
    with pytest.raises(InputError):
        judge(prompt_a, "logits", (5, 0), Answer(np.pi, 4))
