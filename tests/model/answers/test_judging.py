"""A learner's number is judged, and a usual mistake is named."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.answers import judge, read_answer
from model.answers.judging import Verdict, judge_value
from model.answers.mistakes import mistakes
from model.answers.reading import Answer
from model.config import MiniGPTConfig
from model.errors import InputError
from model.working import CHOICE, Source
from tests.model.working.networks import every_source, random_source, teaching_source
from tests.model.working.test_working import every_cell

RANDOM = MiniGPTConfig(5, 8, 4, 2, 2)
Floats = NDArray[Any]
Played = tuple[str, str, Floats]  # the key, the mistake's name, and what comes out of it


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
        ("blocks.0.ffn_activation", (1, 0), "1.1150", ("nearly", "tanh_gelu")),
        ("blocks.0.ln1.variance", (0,), "0.0537", ("right", None)),  # 0.05375: a tie
        ("blocks.0.ln1.variance", (0,), "0.0538", ("right", None)),
        ("blocks.0.ln1.variance", (0,), "0.0717", ("nearly", "sample_variance")),
        ("vocabulary_probs", (1, 1), "0.0037", ("right", None)),
        ("vocabulary_probs", (1, 1), "0.0038", ("nearly", "rounding")),
        ("vocabulary_probs", (1, 1), "0.004", ("nearly", "more_decimals")),
        ("vocabulary_probs", (1, 1), "0.0045", ("wrong", "start_again")),
        ("vocabulary_probs", (1, 1), "0.00", ("wrong", "start_again")),
        ("blocks.0.attention_probs", (0, 0, 1), "0.004", ("wrong", "start_again")),
        ("blocks.0.attention_probs", (0, 0, 1), "0.0001", ("wrong", "start_again")),
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
    """In networks without coincidences each mistake's number names that mistake."""
    recognised = set()
    for scale in (1.5, 6.0):  # with the larger one exponentials are relative to the largest
        source = random_source(RANDOM, (3, 1, 4), scale=scale)
        for key, cell in every_cell(source):
            value = source.operand(key, *cell).value
            for name, number in mistakes(source, key, cell):
                if math.isfinite(value) and abs(number - value) <= 0.6e-4:
                    continue
                found = judge(source, key, cell, Answer(round(number, 4), 4))
                if found.hint and found.hint.key == name:
                    recognised.add(name)
    assert recognised == ALL_MISTAKES


def softmax(row: Floats) -> Floats:
    exponentials = np.exp(row - row.max())
    return np.asarray(exponentials / exponentials.sum())


def unscaled_softmax(source: Source) -> Played:
    key = "blocks.0.attention_probs"
    products = source.array("blocks.0.query") @ source.array("blocks.0.key").transpose(0, 2, 1)
    masked = products + source.array("causal_mask")
    return key, "forgot_scale", np.apply_along_axis(softmax, -1, masked)


def tanh_gelu(source: Source) -> Played:
    h = source.array("blocks.0.ffn_hidden")
    bent = 0.5 * h * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)))
    return "blocks.0.ffn_activation", "tanh_gelu", bent


def carried_relu(source: Source) -> Played:
    bent = np.maximum(source.array("blocks.0.ffn_hidden"), 0)
    weight = source.array("blocks.0.ffn.2.weight")
    return "blocks.0.ffn_update", "relu", bent @ weight.T


def softmax_without_exp(source: Source) -> Played:
    scores = source.array("blocks.0.masked_scores")
    seen = np.where(np.isfinite(scores), scores, 0)
    return "blocks.0.attention_probs", "forgot_exp", seen / seen.sum(axis=-1, keepdims=True)


def probabilities_without_exp(source: Source) -> Played:
    logits = source.array("logits")
    return "vocabulary_probs", "forgot_exp", logits / logits.sum(axis=-1, keepdims=True)


def sample_variance(owner: str, read: str, name: str) -> Callable[[Source], Played]:
    def play(source: Source) -> Played:
        row = source.array(read)
        variance = row.var(axis=-1, ddof=1)
        deviation = row - row.mean(axis=-1, keepdims=True)
        std = np.sqrt(variance + 1e-5)
        numbers = {".variance": variance, ".std": std, ".normalized": deviation / std[:, None]}
        return owner + name, "sample_variance", numbers.get(name, numbers[".normalized"])

    return play


PLAYED: dict[str, tuple[Callable[[Source], Played], int]] = {
    "unscaled softmax": (unscaled_softmax, 98),
    "tanh GELU": (tanh_gelu, 127),
    "ReLU in the update": (carried_relu, 214),
    "attention without exp": (softmax_without_exp, 98),
    "probabilities without exp": (probabilities_without_exp, 275),
    **{
        f"variance by n − 1: {owner}{name}": (
            sample_variance(owner, read, name),
            55 if name in (".variance", ".std") else cells,
        )
        for owner, read, cells in (
            ("blocks.0.ln1", "residual_0", 214),
            ("blocks.0.ln2", "blocks.0.residual_after_attention", 214),
            ("final_hidden", "blocks.0.residual_after_ffn", 220),
        )
        for name in (".variance", ".std", ".normalized", "")
    },
}


@pytest.mark.parametrize("name", PLAYED)
def test_a_usual_mistake_is_recognised_in_every_cell(name: str) -> None:
    """Of all 30 prompts; where it gives the right number or another mistake's, it can't be."""
    play, cells = PLAYED[name]
    applicable = 0
    for source in every_source("onnxruntime"):
        key, hint, numbers = play(source)
        for cell in np.ndindex(*numbers.shape):
            value, number = source.operand(key, *cell).value, round(float(numbers[cell]), 4)
            if abs(number - value) <= 0.6001e-4:
                continue
            applicable += 1
            found = judge(source, key, cell, Answer(number, 4))
            assert (found.grade, found.hint is not None) == ("nearly", True), (cell, number)
            if found.hint is not None and found.hint.key != hint:
                others = [-value if found.hint.key == "sign" else math.nan]
                others += [n for at, n in mistakes(source, key, cell) if at == found.hint.key]
                assert any(abs(n - number) <= 0.5001e-4 for n in others), (cell, found)
    assert applicable == cells


@pytest.mark.parametrize("engine", ["onnxruntime", "torch"])
def test_every_number_as_a_table_shows_it_is_right(engine: str) -> None:
    """In all cells of all prompts, and so is what the card shows."""
    for source in every_source(engine):
        for key, cell in every_cell(source):
            found = source.operand(key, *cell)
            for value in (found.value, found.value if found.engine is None else found.engine):
                answer = Answer(round(value, 4) if math.isfinite(value) else value, 4)
                assert judge(source, key, cell, answer).grade == "right", (key, cell)


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        (10767.13, "10767.63", ("nearly", "rounding")),
        (0.0036, "0.0045", None),
        (0.0036, "0.0037", ("nearly", "rounding")),
        (0.0, "0.004", None),
        (0.0, "0.0001", None),
        (0.0, "0.00", ("right", None)),
        (0.9944, "0.99", ("nearly", "more_decimals")),
        (0.9944, "1", None),
        (6.2, "6", ("nearly", "more_decimals")),
    ],
)
def test_what_is_close(value: float, text: str, expected: tuple[str, str | None] | None) -> None:
    found = judge_value(value, read_answer(text))
    assert (found and (found.grade, found.hint and found.hint.key)) == expected


def test_the_last_bits_of_a_large_number_are_no_mistake() -> None:
    """Two processors' exponentials of 149.66 differ by 10**48: nobody's mistake."""
    for value in (10767.13, 9.962330691289114e64):
        assert judge_value(value, Answer(math.nextafter(value, math.inf), 4)) == Verdict("right")
    assert judge_value(10767.13, Answer(10767.1302, 4)) != Verdict("right")


ALL_MISTAKES = {
    "divided_by_size",
    "forgot_bias",
    "forgot_divide",
    "forgot_divide_sum",
    "forgot_exp",
    "forgot_gain",
    "forgot_gelu",
    "forgot_largest",
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
    "subtracted_largest",
    "tanh_gelu",
    "weights_reversed",
}


def test_the_other_cell_is_named(prompt_a: Source) -> None:
    found = judge(prompt_a, "logits", (1, 3), read_answer("1.7397"))
    assert found.hint is not None
    assert (found.hint.key, found.hint.values) == ("other_cell", {"cell": [1, 4]})


def test_of_two_other_cells_that_hold_the_number_the_nearer_is_named() -> None:
    source = teaching_source((0, 0))  # one word twice: both rows are the same
    found = judge(source, "token_embeddings", (1, 1), read_answer("0.7"))
    assert found.hint is not None
    assert (found.hint.key, found.hint.values) == ("other_cell", {"cell": [1, 2]})


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
