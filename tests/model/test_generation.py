"""Appending words: shapes, the sliding window, and the same words from every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from model import InputError, MiniGPT, generate, teaching_model
from model.generation import window_of
from tests.lesson import LESSON
from tests.reference import reference_trace


def random_model() -> MiniGPT:
    torch.manual_seed(0)
    return MiniGPT(5, 8, 4, 2, 2, 0.1)


def test_one_step_has_the_lessons_shapes() -> None:
    inputs = LESSON["training_example"]["inputs"]
    result = generate(teaching_model(), torch.tensor(inputs), 1)
    step = result.steps[0]
    assert step.last_logits.shape == (2, 5)
    assert step.next_id.shape == (2, 1)
    assert result.token_ids.shape == (2, 3)
    assert result.token_ids[:, :2].tolist() == inputs
    assert step.next_id.tolist() == [[3], [3]]  # 学习 after both, 0.4835 and 0.5897


def test_argmax_words_and_windows_follow_the_reference() -> None:
    weights = {name: value.numpy() for name, value in teaching_model().state_dict().items()}
    token_ids = [0, 1]
    result = generate(teaching_model(), [token_ids], 6)
    for step in result.steps:
        window = token_ids[-2:]
        assert step.window.tolist() == [window]
        logits = reference_trace(weights, window, num_heads=2, num_layers=1)["logits"]
        token_ids = [*token_ids, int(logits[-1].argmax())]
    assert result.token_ids.tolist() == [token_ids]


def test_past_the_context_only_the_window_counts() -> None:
    model = random_model()
    long = [[4, 4, 4, 0, 1, 2, 3, 4, 0, 1, 2]]
    last = [long[0][-8:]]
    from_long, from_last = generate(model, long, 5), generate(model, last, 5)
    assert from_long.token_ids[:, 11:].tolist() == from_last.token_ids[:, 8:].tolist()
    assert all(step.window.shape == (1, 8) for step in from_long.steps)


def test_window_of() -> None:
    token_ids = np.array([[0, 1, 2]])
    assert window_of(token_ids, 2).tolist() == [[1, 2]]
    assert window_of(token_ids, 8).tolist() == [[0, 1, 2]]


def test_a_seed_gives_the_same_words_and_another_seed_others() -> None:
    model = random_model()
    runs = [generate(model, [[0], [1]], 12, temperature=1.5, seed=seed) for seed in (5, 5, 6)]
    assert runs[0].token_ids.tolist() == runs[1].token_ids.tolist()
    assert runs[0].token_ids.tolist() != runs[2].token_ids.tolist()


def test_dropout_is_off_and_the_mode_comes_back() -> None:
    model = random_model().train()
    first = generate(model, [[0, 1]], 8)
    assert model.training
    assert first.token_ids.tolist() == generate(model.eval(), [[0, 1]], 8).token_ids.tolist()
    assert not model.training


def test_another_engine_by_its_logits() -> None:
    model = random_model()
    reversed_ids = generate(
        model, [[0]], 3, next_logits=lambda window: np.eye(5)[window[:, -1] + 1]
    )
    assert reversed_ids.token_ids.tolist() == [[0, 1, 2, 3]]


def test_nothing_appended() -> None:
    result = generate(teaching_model(), [[0, 1]], 0)
    assert result.token_ids.tolist() == [[0, 1]]
    assert result.steps == ()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (([[0]], -1), "count"),
        (([[0]], 1.5), "count"),
        (([[5]], 1), "ids_range"),
        (([[]], 1), "ids_empty"),
        ((np.zeros((1, 0)), 1), "ids_empty"),
        ((torch.tensor([[]]), 1), "ids_empty"),
        (([[0.5]], 1), "ids_dtype"),
        (([["我"]], 1), "ids_text"),
        (([[None]], 1), "ids_dtype"),
        (([[2**70]], 1), "ids_range"),
        (([0, 1], 1), "ids_rank"),
        (([[0, 1], [0]], 1), "ids_ragged"),
    ],
)
def test_wrong_arguments(arguments: tuple[Any, Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        generate(teaching_model(), *arguments)
    assert caught.value.code == code


@pytest.mark.parametrize("convert", [MiniGPT.half, MiniGPT.bfloat16, MiniGPT.double])
def test_any_precision_generates(convert: Callable[[MiniGPT], MiniGPT]) -> None:
    expected = generate(teaching_model(), [[0, 1]], 4)
    made = generate(convert(teaching_model()), [[0, 1]], 4, temperature=0.0)
    assert made.token_ids.tolist() == expected.token_ids.tolist()
    drawn = generate(convert(teaching_model()), [[0, 1]], 4, temperature=1.0, seed=3)
    assert drawn.token_ids.shape == (1, 6)
