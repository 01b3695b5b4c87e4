"""A model of half precision is used like any other: no raw error, the same words, as numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from export.runtimes.pytorch import pytorch_runner
from model import MiniGPT, generate, teaching_model
from model.cached import CachedTorch
from model.corpus import LESSON_CORPUS, read_corpus, windows_of
from model.gradients import gradient_step
from model.training import TrainingSettings, train
from model.vocabulary import LESSON_WORDS

NEAR = 0.03  # bfloat16 keeps 8 bits: 2.1336 is 2.125
CORPUS = read_corpus(LESSON_CORPUS, LESSON_WORDS)
PROMPT = np.array([[0, 1]])


def _first_look(model: MiniGPT) -> Any:
    first = next(train(model, CORPUS, TrainingSettings(steps=2), [[0, 1]]))
    assert first.watched is not None
    return first.watched.probabilities


USES: dict[str, Callable[[MiniGPT], Any]] = {
    "generate": lambda model: generate(model, PROMPT, 1).steps[0].last_logits,
    "cached": lambda model: CachedTorch(model)(PROMPT),
    "runner": lambda model: pytorch_runner(model)(PROMPT)["logits"],
    "gradients": lambda model: gradient_step(model, windows_of(CORPUS, 2)).logits,
    "training": _first_look,
}


@pytest.mark.parametrize("convert", [MiniGPT.half, MiniGPT.bfloat16])
@pytest.mark.parametrize("use", USES)
def test_half_precision_gives_float32_near_the_exact(
    use: str, convert: Callable[[MiniGPT], MiniGPT]
) -> None:
    exact, half = USES[use](teaching_model()), USES[use](convert(teaching_model()))
    assert half.dtype == np.float32
    assert 0 < float(np.abs(half - exact).max()) < NEAR


def test_a_training_in_bfloat16_can_be_resumed() -> None:
    from model.training import Training

    training = Training(teaching_model().bfloat16(), CORPUS, TrainingSettings(steps=3))
    run = training.run()
    next(run)
    state = training.state()
    run.close()
    assert state.weights.dtype == np.float32
    again = Training(teaching_model().bfloat16(), CORPUS, TrainingSettings(steps=3), state=state)
    assert torch.isfinite(torch.tensor([progress.loss for progress in again.run()])).all()
