"""Every figure of the lesson: to its four decimals in float32, to 1e-12 in float64."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

from model import MiniGPT, TransformerBlock, teaching_model
from model.teaching import OUTPUT_BIAS, OUTPUT_WEIGHT, POSITION_TABLE, TOKEN_TABLE
from model.trace import trace_shapes
from model.vocabulary import LESSON_WORDS
from tests.lesson import HALF_A_DIGIT, LESSON
from tests.reference import layer_norm, reference_trace

PROMPTS = LESSON["prompts"]
FLOAT64_BOUND = 1e-12


def traced(token_ids: list[int], dtype: torch.dtype = torch.float32) -> dict[str, Any]:
    with torch.inference_mode():
        values = teaching_model(dtype).trace(torch.tensor([token_ids]))
    return {name: value.numpy() for name, value in values.items()}


def as_arrays(model: MiniGPT) -> dict[str, Any]:
    return {name: tensor.numpy() for name, tensor in model.state_dict().items()}


def key_of(name: str) -> str:
    shapes = trace_shapes(1)
    return name if name in shapes else f"blocks.0.{name}"


def assert_prints_as(actual: Any, printed: Any) -> None:
    np.testing.assert_allclose(actual, printed, rtol=0, atol=HALF_A_DIGIT)


def test_words_and_weights_are_the_lessons() -> None:
    weights = LESSON["weights"]
    assert list(LESSON_WORDS.words) == LESSON["vocabulary"]
    for ours, theirs in (
        (TOKEN_TABLE, weights["token_table"]),
        (POSITION_TABLE, weights["position_table"]),
        (OUTPUT_WEIGHT, weights["W_out"]),
        (OUTPUT_BIAS, weights["bias"]),
    ):
        np.testing.assert_array_equal(np.array(ours), np.array(theirs))


@pytest.mark.parametrize("prompt", ["A", "B"])
def test_every_printed_row_of_a_prompt(prompt: str) -> None:
    expected = PROMPTS[prompt]
    values = traced(expected["token_ids"])
    rows = {key: value for key, value in expected.items() if not key.startswith("token")}
    probabilities = rows.pop("vocabulary_probs_derived")
    assert len(rows) == 8
    for name, row in rows.items():
        assert_prints_as(values[key_of(name)][0, -1], row)
    np.testing.assert_allclose(
        values["vocabulary_probs"][0, -1], probabilities, rtol=0, atol=1.5e-6
    )


@pytest.mark.parametrize(("head", "name"), [(0, "head_1"), (1, "head_2")])
def test_attention_example(head: int, name: str) -> None:
    values = traced(PROMPTS["A"]["token_ids"])
    expected = LESSON["attention_example"][name]
    computed = {
        "q_final": values["blocks.0.query"][0, head, -1],
        "k": values["blocks.0.key"][0, head],
        "scores_final": values["blocks.0.scores"][0, head, -1],
        "probs_final": values["blocks.0.attention_probs"][0, head, -1],
        "v": values["blocks.0.value"][0, head],
        "output_final": values["blocks.0.head_outputs"][0, head, -1],
    }
    for figure, printed in expected.items():
        assert_prints_as(computed[figure], printed)


def test_ffn_example() -> None:
    values = traced(PROMPTS["A"]["token_ids"])
    expected = LESSON["ffn_example"]
    assert_prints_as(
        values["blocks.0.ffn_hidden"][0, -1, :4], expected["pre_activation_first_four"]
    )
    update = values["blocks.0.ffn_update"][0, -1]
    assert_prints_as(update, expected["ffn_update"])
    # The lesson prints as GELU four times the update it has already rounded (W2 is a quarter):
    # 4 x 0.0399 = 0.1596, where GELU(0.2644) is 0.1597. Both readings are checked.
    np.testing.assert_allclose(4 * np.round(update, 4), expected["gelu_first_four"], atol=1e-6)
    activation = values["blocks.0.ffn_activation"][0, -1, :4]
    np.testing.assert_allclose(
        activation, expected["gelu_first_four"], rtol=0, atol=4 * HALF_A_DIGIT
    )
    np.testing.assert_allclose(activation, [1.1153, 0.1597, -0.0951, 0.0145], atol=HALF_A_DIGIT)
    assert not values["blocks.0.ffn_hidden"][0, :, 4:].any()


def test_layer_norm_example() -> None:
    example = LESSON["layer_norm_example"]
    norm = torch.nn.LayerNorm(4)
    ours = norm(torch.tensor([example["x"]], dtype=torch.float32)).detach().numpy()[0]
    independent = layer_norm(np.array(example["x"], dtype=float), np.ones(4), np.zeros(4))
    np.testing.assert_allclose(ours, example["normalized"], rtol=0, atol=0.5e-3 + 1e-9)
    np.testing.assert_allclose(ours, independent, rtol=0, atol=1e-6)


def test_same_last_word_same_start_different_attention() -> None:
    a, b = (traced(PROMPTS[prompt]["token_ids"]) for prompt in "AB")
    np.testing.assert_array_equal(a["residual_0"][0, -1], b["residual_0"][0, -1])
    difference = a["blocks.0.attention_update"][0, -1] - b["blocks.0.attention_update"][0, -1]
    assert np.abs(difference).max() > 0.1


@pytest.mark.parametrize("length", [1, 2])
def test_float64_against_independent_numpy_on_all_prompts(length: int) -> None:
    weights = as_arrays(teaching_model(torch.float64))
    for token_ids in product(range(5), repeat=length):
        values = traced(list(token_ids), torch.float64)
        expected = reference_trace(weights, token_ids, num_heads=2, num_layers=1)
        assert list(values) == list(expected)
        for name, value in expected.items():
            actual = values[name] if name == "position_embeddings" else values[name][0]
            np.testing.assert_allclose(actual, value, rtol=0, atol=FLOAT64_BOUND, err_msg=name)


def test_two_random_blocks_in_float64_against_independent_numpy() -> None:
    torch.manual_seed(1)
    model = MiniGPT(5, 8, 4, 2, 2, 0.1).double().eval()
    weights = as_arrays(model)
    token_ids = [4, 1, 0, 3, 2, 2, 1, 0]
    with torch.inference_mode():
        values = model.trace(torch.tensor([token_ids]))
    for name, value in reference_trace(weights, token_ids, num_heads=2, num_layers=2).items():
        actual = values[name] if name == "position_embeddings" else values[name][0]
        np.testing.assert_allclose(actual.detach(), value, rtol=0, atol=FLOAT64_BOUND, err_msg=name)


def test_shapes_are_the_lessons_table() -> None:
    figures = {"B": 2, "T": 2, "C": 4, "H": 2, "D": 2, "V": 5}
    values = teaching_model().trace(torch.tensor(LESSON["training_example"]["inputs"]))
    table = {name: shape for name, shape in LESSON["shapes"].items() if isinstance(shape, list)}
    table |= dict.fromkeys(("query", "key", "value"), table.pop("q/k/v"))
    assert table.pop("token_ids") == ["B", "T"]
    for name, letters in table.items():
        assert list(values[key_of(name)].shape) == [figures[letter] for letter in letters], name
    ours = trace_shapes(1)
    for name, letters in table.items():
        assert list(ours[key_of(name)]) == letters


def test_training_example() -> None:
    example = LESSON["training_example"]
    torch.manual_seed(0)
    model = MiniGPT(**example["model"]).eval()
    inputs, targets = torch.tensor(example["inputs"]), torch.tensor(example["targets"])
    logits, loss = model(inputs, targets)
    assert loss is not None
    assert logits.shape == (2, 2, 5)
    assert loss.shape == ()
    chosen = torch.log_softmax(logits.detach().double(), -1).gather(-1, targets[..., None])
    assert loss.item() == pytest.approx(-chosen.mean().item(), abs=1e-6)
    words = [[LESSON_WORDS.words[i] for i in row] for row in example["inputs"] + example["targets"]]
    assert words == [["我", "喜欢"], ["猫", "喜欢"], ["喜欢", "AI"], ["喜欢", "学习"]]


def test_a_block_works_alone() -> None:
    block = TransformerBlock(model_dim=4, num_heads=2, dropout=0.0)
    assert block(torch.randn(2, 2, 4)).shape == (2, 2, 4)
