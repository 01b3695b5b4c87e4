"""The shipped learned weights: what they say, where they came from, and how they are stored."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from export.shipped import FILES, weights_file
from model.config import MiniGPTConfig
from model.generation import generate
from model.network import MiniGPT
from model.recipe import RECIPES, read_recipe
from model.shipped import POEMS, TRAINED
from model.trained import trained_folder, trained_model, trained_state
from model.vocabulary import LESSON_WORDS, Vocabulary
from model.weights_file import WEIGHTS_FILE

ENOUGH = 0.95  # what the trained network has to give both of the lesson's targets
TARGETS = {"我 喜欢": "AI", "猫 喜欢": "学习"}
NAMES = (TRAINED, POEMS)
POEM_TEXTS = (RECIPES / "poems.txt").read_text("utf-8").strip().split("\n\n")
SAME_PROBABILITIES = 0.02  # of next words, learned again on another processor


def chance(model: MiniGPT, prompt: str, word: str) -> float:
    with torch.inference_mode():
        token_ids = torch.tensor([LESSON_WORDS.encode(prompt)])
        probabilities = model.trace(token_ids)["vocabulary_probs"]
    return probabilities[0, -1, LESSON_WORDS.encode(word)[0]].item()


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


@pytest.mark.parametrize(
    ("name", "config"),
    [
        (TRAINED, MiniGPTConfig(5, 8, 4, 2, 2, 0.1)),
        (POEMS, MiniGPTConfig(75, 8, 8, 2, 2, 0.0)),
    ],
)
def test_sizes_and_words_are_the_recipes(name: str, config: MiniGPTConfig) -> None:
    recipe, model = read_recipe(RECIPES / f"{name}.json"), trained_model(name)
    assert model.config == recipe.config == config
    assert model.vocabulary == recipe.corpus.vocabulary


@pytest.mark.long("a whole training")
def test_the_recipe_run_again_learns_the_same() -> None:
    """The bits depend on the processor; that it learns both targets does not."""
    torch.set_num_threads(1)
    recipe = read_recipe(RECIPES / "trained.json")
    model, progress = recipe.run()
    assert list(progress)[-1].step == recipe.settings.steps
    for prompt, word in TARGETS.items():
        assert chance(model, prompt, word) >= ENOUGH


@pytest.mark.long("a whole training")
def test_the_poems_recipe_run_again_learns_the_same() -> None:
    torch.set_num_threads(1)
    recipe = read_recipe(RECIPES / "poems.json")
    model, progress = recipe.run()
    assert list(progress)[-1].step == recipe.settings.steps
    assert all(recited(model, poem) == poem for poem in POEM_TEXTS)
    text = recipe.corpus.sentences[0]
    windows = torch.tensor([text[at : at + 8] for at in range(len(text) - 8)])
    with torch.inference_mode():
        again, shipped = (
            each.trace(windows)["vocabulary_probs"][:, -1] for each in (model, trained_model(POEMS))
        )
    torch.testing.assert_close(again, shipped, rtol=0, atol=SAME_PROBABILITIES)


def words_of(model: MiniGPT) -> Vocabulary:
    assert model.vocabulary is not None
    return model.vocabulary


def recited(model: MiniGPT, poem: str) -> str:
    """What the model writes after the poem's first character."""
    words = words_of(model)
    ids = words.encode(poem)
    return words.text(generate(model, [ids[:1]], len(ids) - 1).token_ids[0])


@pytest.mark.parametrize("poem", POEM_TEXTS)
def test_from_its_first_character_a_poem_is_recited(poem: str) -> None:
    assert recited(trained_model(POEMS), poem) == poem


def test_from_the_beginning_of_each_line_it_goes_on() -> None:
    model = trained_model(POEMS)
    for poem in POEM_TEXTS:
        for line in poem.split("\n"):
            assert recited(model, line) == line


def test_the_poems_are_four_and_end_in_the_next() -> None:
    assert [poem[0] for poem in POEM_TEXTS] == ["床", "白", "春", "千"]
    assert len(words_of(trained_model(POEMS))) == 75  # 74 characters and the line end
    whole = "\n\n".join(POEM_TEXTS)
    assert recited(trained_model(POEMS), whole) == whole


def test_the_bias_of_the_poems_logits_is_zero() -> None:
    assert not trained_state(POEMS)["lm_head.bias"].any()


def test_all_forms_of_the_poems_are_at_most_a_megabyte() -> None:
    sizes = [path.stat().st_size for path in FILES.glob("mini_gpt_poems*")]
    assert len(sizes) == 7
    assert sum(sizes) <= 1_000_000


@pytest.mark.parametrize("name", NAMES)
def test_the_file_beside_the_onnx_files_is_the_same(name: str) -> None:
    shipped = (FILES / weights_file(name)).read_bytes()
    assert shipped == (trained_folder(name) / WEIGHTS_FILE).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_weights_without_torch_are_the_same(name: str) -> None:
    state = trained_model(name).state_dict()
    stored = trained_state(name)
    assert set(stored) == set(state)
    for key, value in state.items():
        np.testing.assert_array_equal(stored[key], value.numpy(), err_msg=key)
