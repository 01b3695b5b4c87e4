"""The shipped learned weights: what they say, where they came from, and how they are stored."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from export.shipped import FILES, weights_file
from model.config import MiniGPTConfig
from model.network import MiniGPT
from model.recipe import RECIPES, read_recipe
from model.trained import TRAINED_FOLDER, trained_model, trained_state
from model.vocabulary import Vocabulary
from model.weights_file import WEIGHTS_FILE

WORDS = Vocabulary()
ENOUGH = 0.95  # what the trained network has to give both of the lesson's targets
TARGETS = {"我 喜欢": "AI", "猫 喜欢": "学习"}


def chance(model: MiniGPT, prompt: str, word: str) -> float:
    with torch.inference_mode():
        probabilities = model.trace(torch.tensor([WORDS.encode(prompt)]))["vocabulary_probs"]
    return probabilities[0, -1, WORDS.encode(word)[0]].item()


@pytest.mark.parametrize(("prompt", "word"), TARGETS.items())
def test_it_has_learned_the_lessons_targets(prompt: str, word: str) -> None:
    assert chance(trained_model(), prompt, word) >= ENOUGH


@pytest.mark.parametrize(
    ("prompt", "word"),
    [
        ("我 喜欢 AI 猫 喜欢", "学习"),
        ("猫 喜欢 学习 我 喜欢", "AI"),
        ("我 喜欢 AI 我 喜欢 AI 猫 喜欢", "学习"),
        ("AI 猫 喜欢", "学习"),
    ],
)
def test_it_tells_by_the_nearest_subject_wherever_it_stands(prompt: str, word: str) -> None:
    assert chance(trained_model(), prompt, word) >= ENOUGH


def test_its_sizes_are_the_recipes() -> None:
    recipe = read_recipe(RECIPES / "trained.json", WORDS)
    assert trained_model().config == recipe.config == MiniGPTConfig(5, 8, 4, 2, 2, 0.1)


def test_the_recipe_run_again_learns_the_same() -> None:
    """The bits depend on the processor; that it learns both targets does not."""
    torch.set_num_threads(1)
    recipe = read_recipe(RECIPES / "trained.json", WORDS)
    model, progress = recipe.run(WORDS)
    assert list(progress)[-1].step == recipe.settings.steps
    for prompt, word in TARGETS.items():
        assert chance(model, prompt, word) >= ENOUGH


def test_the_file_beside_the_onnx_files_is_the_same() -> None:
    shipped = (FILES / weights_file("trained")).read_bytes()
    assert shipped == (TRAINED_FOLDER / WEIGHTS_FILE).read_bytes()


def test_the_weights_without_torch_are_the_same() -> None:
    state = trained_model().state_dict()
    stored = trained_state()
    assert set(stored) == set(state)
    for name, value in state.items():
        np.testing.assert_array_equal(stored[name], value.numpy(), err_msg=name)
