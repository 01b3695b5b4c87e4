"""Training: it learns what only attention can tell, the same way every time, and stops in time."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence

import numpy as np
import pytest
import torch

from model.config import MiniGPTConfig
from model.corpus import LESSON_CORPUS, Corpus, entropy_floor, read_corpus, windows_of
from model.errors import InputError
from model.network import MiniGPT
from model.training import (
    Batches,
    Progress,
    Training,
    TrainingSettings,
    TrainingState,
    new_model,
    train,
)
from model.vocabulary import LESSON_WORDS, Vocabulary

WORDS = LESSON_WORDS
CONFIG = MiniGPTConfig(5, 8, 4, 2, 2, 0.1)
LESSON_PROMPTS = [[0, 1], [4, 1]]  # 我 喜欢, 猫 喜欢
AI, LEARNING = 2, 3
SEEDS = 20
LEARNED = 0.9
ENOUGH_SEEDS = 19


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def lesson() -> Corpus:
    return read_corpus(LESSON_CORPUS, WORDS)


@pytest.fixture(scope="module")
def varied() -> Corpus:
    """More windows than a batch takes."""
    return read_corpus("我喜欢AI\n猫喜欢学习\n我喜欢AI猫喜欢学习\n学习我喜欢AI\nAI猫喜欢", WORDS)


def weights(model: MiniGPT) -> list[bytes]:
    return [value.numpy().tobytes() for value in model.state_dict().values()]


def trained(
    corpus: Corpus, settings: TrainingSettings, watched: Sequence[Sequence[int]] = ()
) -> tuple[MiniGPT, list[Progress]]:
    model = new_model(CONFIG, settings.seed)
    return model, list(train(model, corpus, settings, watched))


@pytest.mark.long("twenty seeds")
def test_both_targets_are_learned_from_twenty_seeds(lesson: Corpus) -> None:
    """Measured with torch 2.13.0: 20 of 20 give both targets at least 0.9, 19 at least 0.95."""
    learned = 0
    for seed in range(SEEDS):
        settings = TrainingSettings(steps=400, seed=seed, watch_every=400)
        _, progress = trained(lesson, settings, LESSON_PROMPTS)
        look = progress[-1].watched
        assert look is not None
        chances = look.probabilities[0, AI], look.probabilities[1, LEARNING]
        learned += min(chances) >= LEARNED
    assert learned >= ENOUGH_SEEDS, f"{learned} of {SEEDS}"


def test_the_loss_comes_down_to_the_floor_and_not_below(varied: Corpus) -> None:
    _, progress = trained(varied, TrainingSettings(steps=600, seed=1, watch_every=100))
    losses = [made.watched.corpus_loss for made in progress if made.watched]
    floor = entropy_floor(varied, CONFIG.context_length)
    assert losses[0] > 1.2
    assert floor - 1e-6 <= losses[-1] < floor + 0.2


def test_the_same_seed_gives_the_same_weights_to_the_bit(varied: Corpus) -> None:
    settings = TrainingSettings(steps=40, seed=7, batch_size=3)
    first, first_progress = trained(varied, settings)
    torch.manual_seed(99)
    torch.rand(17)
    second, second_progress = trained(varied, settings)
    assert weights(first) == weights(second)
    assert [made.loss for made in first_progress] == [made.loss for made in second_progress]
    other, _ = trained(varied, TrainingSettings(steps=40, seed=8, batch_size=3))
    assert weights(first) != weights(other)


@pytest.mark.parametrize("stop_after", [0, 1, 13, 39])
def test_stopped_and_resumed_is_as_never_stopped(varied: Corpus, stop_after: int) -> None:
    settings = TrainingSettings(steps=40, seed=3, batch_size=2)
    whole, _ = trained(varied, settings)
    first = Training(new_model(CONFIG, settings.seed), varied, settings)
    state = first.state()
    for made in first.run():
        state = first.state()
        if made.step == stop_after:
            break
    resumed = Training(new_model(CONFIG, 12345), varied, settings, state=state)
    assert [made.step for made in resumed.run()] == list(range(stop_after, 41))
    assert weights(resumed.model) == weights(whole)


def test_trainings_in_threads_do_not_mix(varied: Corpus) -> None:
    settings = [TrainingSettings(steps=60, seed=seed, batch_size=3) for seed in (1, 2)]
    alone = [weights(trained(varied, each)[0]) for each in settings]
    together: dict[int, list[bytes]] = {}

    def run(index: int) -> None:
        together[index] = weights(trained(varied, settings[index])[0])

    threads = [threading.Thread(target=run, args=(index,)) for index in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[0], together[1]] == alone


def test_progress_says_what_the_network_is_at_its_step(lesson: Corpus) -> None:
    model = new_model(MiniGPTConfig(5, 8, 4, 2, 1, 0.0), 0)
    windows = windows_of(lesson, 8)
    token_ids, targets = torch.from_numpy(windows.token_ids), torch.from_numpy(windows.targets)
    settings = TrainingSettings(steps=4, watch_every=2)
    for made in train(model, lesson, settings, LESSON_PROMPTS):
        _, loss = model(token_ids, targets)
        assert loss is not None
        assert made.loss == pytest.approx(loss.item(), abs=1e-6)
        gradients = torch.autograd.grad(loss, list(model.parameters()))
        norm = torch.cat([gradient.flatten() for gradient in gradients]).norm().item()
        assert made.gradient_norm == pytest.approx(norm, rel=1e-4)
        assert (made.watched is None) == (made.step in (1, 3))
        if made.watched is not None:
            assert made.watched.corpus_loss == pytest.approx(loss.item(), abs=1e-6)
            probabilities = model.trace(token_ids)["vocabulary_probs"][:, -1].detach()
            np.testing.assert_allclose(made.watched.probabilities, probabilities, atol=1e-6)


def test_one_step_is_adamws_on_every_weight(varied: Corpus) -> None:
    """Against torch's plain AdamW on the separate weights, dropout off."""
    config = MiniGPTConfig(5, 8, 4, 2, 2, 0.0)
    settings = TrainingSettings(steps=3, learning_rate=0.02, batch_size=100)
    ours, plain = new_model(config, 0), new_model(config, 0)
    list(train(ours, varied, settings))
    optimizer = torch.optim.AdamW(plain.parameters(), lr=0.02, fused=False, foreach=False)
    batches = Batches(windows_of(varied, 8), settings)
    for step in range(3):
        optimizer.zero_grad()
        plain(*batches.at(step))[1].backward()
        optimizer.step()
    for name, value in ours.state_dict().items():
        np.testing.assert_allclose(value, plain.state_dict()[name], atol=2e-6, err_msg=name)


def test_dropout_is_for_training_alone(lesson: Corpus) -> None:
    model = new_model(MiniGPTConfig(5, 8, 4, 2, 2, 0.5), 0)
    looks = [made.watched for made in train(model, lesson, TrainingSettings(2, watch_every=1))]
    assert not model.training
    again = new_model(MiniGPTConfig(5, 8, 4, 2, 2, 0.0), 0)
    first = next(iter(train(again, lesson, TrainingSettings(2, watch_every=1)))).watched
    assert looks[0] is not None
    assert first is not None
    assert looks[0].corpus_loss == first.corpus_loss


def test_a_shorter_prompt_is_padded_and_a_longer_one_cut(varied: Corpus) -> None:
    model = new_model(MiniGPTConfig(5, 3, 4, 2, 1, 0.0), 0)
    prompts = [[4], [0, 1, 2, 4, 1]]
    made = next(iter(train(model, varied, TrainingSettings(1), prompts)))
    assert made.watched is not None
    for prompt, probabilities in zip(prompts, made.watched.probabilities, strict=True):
        alone = model.eval().trace(torch.tensor([prompt[-3:]]))["vocabulary_probs"][0, -1]
        np.testing.assert_allclose(probabilities, alone.detach(), atol=1e-6)


def test_every_window_is_used_once_an_epoch(varied: Corpus) -> None:
    windows = windows_of(varied, 3)
    batches = Batches(windows, TrainingSettings(batch_size=4, seed=5))
    in_epoch = math.ceil(len(windows) / 4)
    for epoch in range(3):
        steps = range(epoch * in_epoch, (epoch + 1) * in_epoch)
        seen = torch.cat([batches.at(step)[0] for step in steps])
        assert sorted(seen.tolist()) == sorted(windows.token_ids.tolist())
    assert batches.at(0)[0].tolist() != batches.at(in_epoch)[0].tolist()


def test_words_belong_to_the_model(lesson: Corpus) -> None:
    """Ids of other words, or of these in another order, would be learned as what they are not."""
    others = Vocabulary(("I", "like", "AI", "learn", "cat"))
    turned = Vocabulary(WORDS.words[::-1])
    for words in (others, turned):
        model = new_model(CONFIG, 0)
        model.vocabulary = words
        before = weights(model)
        with pytest.raises(InputError) as caught:
            list(train(model, lesson, TrainingSettings(steps=1)))
        assert caught.value.code == "corpus_vocabulary"
        for language in ("zh", "en"):
            assert " ".join(words.words) in caught.value.text(language)
            assert " ".join(WORDS.words) in caught.value.text(language)
        assert (model.vocabulary, weights(model)) == (words, before)
        own = read_corpus(" ".join(words.words), words)
        list(train(model, own, TrainingSettings(steps=1)))  # its own are learned
    with pytest.raises(InputError, match="corpus uses other words"):
        list(train(model, lesson, TrainingSettings(steps=1)))


def test_a_loss_that_is_not_finite_stops_with_the_last_good_weights(lesson: Corpus) -> None:
    model = new_model(CONFIG, 0)
    settings = TrainingSettings(steps=50, learning_rate=1e38)
    progress: list[Progress] = []
    with pytest.raises(InputError, match=r"step \d+.*1e\+38") as caught:
        progress.extend(train(model, lesson, settings))
    assert caught.value.code == "training_diverged"
    assert not model.training
    _, loss = model(torch.tensor([[0, 1]]), torch.tensor([[1, 2]]))
    assert math.isfinite(loss.item())


def test_weights_that_are_not_finite_to_begin_with(lesson: Corpus) -> None:
    model = new_model(CONFIG, 0)
    model.lm_head.bias.data[0] = math.nan
    with pytest.raises(InputError) as caught:
        list(train(model, lesson, TrainingSettings(5)))
    assert caught.value.details["step"] == 0


def test_after_training_every_weight_has_memory_of_its_own(lesson: Corpus) -> None:
    model, _ = trained(lesson, TrainingSettings(steps=2))
    assert len({weight.data_ptr() for weight in model.parameters()}) == 26
    assert all(weight.grad is None for weight in model.parameters())
    assert all(weight.untyped_storage().nbytes() == weight.nbytes for weight in model.parameters())


def test_state_and_weights_are_copies(lesson: Corpus) -> None:
    training = Training(new_model(CONFIG, 0), lesson, TrainingSettings(steps=3))
    loop = training.run()
    next(loop)
    state, flat = training.state(), training.weights()
    kept = flat.copy()
    next(loop)
    assert np.array_equal(flat, kept)
    assert np.array_equal(state.weights, kept)
    assert isinstance(state, TrainingState)
    assert not np.array_equal(training.weights(), kept)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"steps": 0}, "size"),
        ({"steps": 1.5}, "size"),
        ({"batch_size": -1}, "size"),
        ({"watch_every": 0}, "size"),
        ({"seed": -1}, "seed"),
        ({"learning_rate": 0}, "learning_rate"),
        ({"learning_rate": math.nan}, "learning_rate"),
        ({"learning_rate": math.inf}, "learning_rate"),
        ({"learning_rate": "0.1"}, "learning_rate"),
        ({"learning_rate": True}, "learning_rate"),
    ],
)
def test_settings_out_of_range(given: dict[str, object], code: str) -> None:
    with pytest.raises(InputError) as caught:
        TrainingSettings(**given)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_new_model_leaves_torchs_generator_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    new_model(CONFIG, 5)
    assert torch.equal(torch.rand(2), expected)
    assert weights(new_model(CONFIG, 5)) == weights(new_model(CONFIG, 5))
