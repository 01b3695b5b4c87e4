"""Gradients of one training step, against finite differences in float64, and their working."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from model.config import IGNORED_TARGET, MiniGPTConfig
from model.corpus import LESSON_CORPUS, Windows, read_corpus, windows_of
from model.errors import InputError
from model.gradients import GradientStep, gradient_step
from model.network import MiniGPT
from model.teaching import teaching_model
from model.training import new_model
from model.vocabulary import LESSON_WORDS
from model.working.expression import evaluate
from model.working.gradient import BIAS, LOGITS, LOSS, LOSSES, WEIGHT, gradient_working
from tests.lesson import LESSON
from tests.model.working.shown_arithmetic import is_equal, reads

WORDS = LESSON_WORDS
NUDGE = 1e-5  # central differences in float64 are then good to about 1e-9


def lesson_windows(context_length: int = 8) -> Windows:
    return windows_of(read_corpus(LESSON_CORPUS, WORDS), context_length)


def models() -> dict[str, MiniGPT]:
    return {
        "teaching": teaching_model(torch.float64),
        "random": new_model(MiniGPTConfig(5, 8, 4, 2, 2, 0.1), 0).double(),
    }


def loss_of(model: MiniGPT, windows: Windows) -> float:
    with torch.inference_mode():
        _, loss = model(torch.from_numpy(windows.token_ids), torch.from_numpy(windows.targets))
    assert loss is not None
    return float(loss)


@pytest.mark.parametrize("name", ["teaching", "random"])
def test_every_weight_gradient_is_a_finite_difference(name: str) -> None:
    model = models()[name].eval()
    windows = lesson_windows(model.config.context_length)
    made = gradient_step(model, windows)
    assert list(made.weight_gradients) == [key for key, _ in model.named_parameters()]
    for key, weight in model.named_parameters():
        flat = weight.data.view(-1)
        for place in range(0, flat.numel(), max(1, flat.numel() // 7)):
            kept = flat[place].item()
            flat[place] = kept + NUDGE
            above = loss_of(model, windows)
            flat[place] = kept - NUDGE
            below = loss_of(model, windows)
            flat[place] = kept
            found = made.weight_gradients[key].reshape(-1)[place]
            assert found == pytest.approx((above - below) / (2 * NUDGE), abs=1e-8), key


@pytest.mark.parametrize("name", ["teaching", "random"])
def test_logits_gradient_is_p_minus_one_hot_over_the_count(name: str) -> None:
    model = models()[name]
    windows = lesson_windows(model.config.context_length)
    made = gradient_step(model, windows)
    one_hot = np.eye(5)[windows.targets]
    np.testing.assert_allclose(made.logits_gradient, (made.probabilities - one_hot) / 4, atol=1e-16)
    assert made.counted == 4


def test_logits_gradient_is_a_finite_difference() -> None:
    made = gradient_step(teaching_model(torch.float64), lesson_windows(2))

    def loss(logits: np.ndarray) -> float:
        shares = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
        chosen = np.take_along_axis(shares, made.targets[..., None], -1)
        return float(-np.log(chosen).mean())

    for cell in np.ndindex(made.logits.shape):
        nudged = made.logits.copy()
        nudged[cell] += NUDGE
        above = loss(nudged)
        nudged[cell] -= 2 * NUDGE
        assert made.logits_gradient[cell] == pytest.approx(
            (above - loss(nudged)) / (2 * NUDGE), abs=1e-9
        )


def test_the_lessons_batch_and_its_loss() -> None:
    windows = lesson_windows(2)
    assert windows.token_ids.tolist() == LESSON["training_example"]["inputs"]
    made = gradient_step(teaching_model(torch.float64), windows)
    for row, prompt in enumerate("AB"):
        np.testing.assert_allclose(
            made.logits[row, -1], LESSON["prompts"][prompt]["logits"], atol=5.1e-5
        )
        chances = LESSON["prompts"][prompt]["vocabulary_probs_derived"]
        target = windows.targets[row, -1]
        assert made.losses[row, -1] == pytest.approx(-math.log(chances[target]), abs=1e-4)
    assert made.loss == pytest.approx(made.losses.mean(), abs=1e-15)


def test_an_ignored_target_has_no_part_in_it() -> None:
    windows = windows_of(read_corpus("我喜欢AI\n猫喜欢", WORDS), 8)
    made = gradient_step(models()["random"], windows)
    place = (1, 1)
    assert windows.targets[place] == IGNORED_TARGET
    assert made.counted == 3
    assert made.losses[place] == 0
    assert not made.logits_gradient[place].any()
    assert made.loss == pytest.approx(made.losses.sum() / 3, abs=1e-15)
    assert gradient_working(made, LOGITS, (*place, 2)).lines[-1].text == "0 = 0"


def test_the_model_is_left_as_it_was() -> None:
    model = new_model(MiniGPTConfig(5, 8, 4, 2, 2, 0.1), 0).train()
    gradient_step(model, lesson_windows())
    assert model.training
    assert all(weight.grad is None for weight in model.parameters())


def every_cell(made: GradientStep) -> list[tuple[str, tuple[int, ...]]]:
    return [
        (LOSS, ()),
        *((LOSSES, cell) for cell in np.ndindex(made.losses.shape)),
        *((LOGITS, cell) for cell in np.ndindex(made.logits_gradient.shape)),
        *((BIAS, (word,)) for word in range(5)),
        *((WEIGHT, cell) for cell in np.ndindex(5, made.final_hidden.shape[-1])),
    ]


@pytest.mark.parametrize("name", ["teaching", "random"])
def test_what_is_shown_works_out(name: str) -> None:
    """A reader who types a line into a calculator gets the result the line says."""
    model = models()[name].float()
    made = gradient_step(model, lesson_windows(model.config.context_length))
    for key, cell in every_cell(made):
        for line in gradient_working(made, key, cell).lines:
            equal = is_equal(line.expression, line.result)
            assert line.relation == ("=" if equal else "≈"), line.text
            assert reads(line.expression, line.result), f"{key}{cell}: {line.text}"


def test_the_lines_of_the_lessons_loss() -> None:
    made = gradient_step(teaching_model(), lesson_windows(2))
    assert [line.text for line in gradient_working(made, LOSS, ()).lines] == [
        "ln(1 ÷ 0.5542) ≈ 0.5902",
        "ln(1 ÷ 0.012445) ≈ 4.3864",
        "ln(1 ÷ 0.6104) ≈ 0.4936",
        "ln(1 ÷ 0.5897) ≈ 0.5281",
        "(0.5902 + 4.3864 + 0.4936 + 0.5281) ÷ 4 ≈ 1.4996",
    ]
    assert gradient_working(made, LOGITS, (0, 1, 2)).lines[0].text == ("(0.0124 − 1) ÷ 4 = −0.2469")


@pytest.mark.parametrize(
    ("key", "cell", "code"),
    [
        ("gradients.nothing", (), "working_key"),
        (LOGITS, (0, 1), "working_cell"),
        (LOGITS, (0, 1, 5), "working_cell"),
        (LOSS, (0,), "working_cell"),
        (BIAS, (-1,), "working_cell"),
    ],
)
def test_what_has_no_working(key: str, cell: tuple[int, ...], code: str) -> None:
    made = gradient_step(teaching_model(), lesson_windows(2))
    with pytest.raises(InputError) as caught:
        gradient_working(made, key, cell)
    assert caught.value.code == code


def test_ln_is_the_natural_logarithm() -> None:
    from model.working.expression import Call, Constant

    assert evaluate(Call("ln", (Constant("2", 2.0),))) == math.log(2)
