"""Records a run of the trained weights' recipe for the training panel (ui/training/recorded.py).

`python -m tools.record_training` trains as `python -m model train --recipe` does and writes
`recorded.safetensors`: of every tenth step the loss and the gradient norm, and of every evaluation
the loss over the corpus, the watched probabilities and the weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from model.recipe import Recipe, read_recipe
from model.training import Progress, Training, new_model
from ui.training.recorded import FILE, RECIPE

EVERY = 10  # steps; a curve of 200 points is as fine as it is drawn


def main() -> None:
    """Train and write the file."""
    save_file(record(recipe()), FILE)


def recipe() -> Recipe:
    """The recipe of the shipped trained weights."""
    return read_recipe(RECIPE)


def record(recipe: Recipe, steps: int | None = None) -> dict[str, NDArray[Any]]:
    """The arrays of the file, of the first `steps` steps or all.

    steps [N]; losses, gradient_norms [N]; looked [K]: steps; corpus_losses [K];
    probabilities [K, prompts, vocab_size]; weights [K, parameters].
    """
    settings = recipe.settings
    model = new_model(recipe.config, settings.seed, settings.output_bias)
    prompts = [recipe.corpus.vocabulary.encode(text) for text in recipe.watched]
    training = Training(model, recipe.corpus, settings, prompts)
    points: list[Progress] = []
    weights: list[NDArray[np.float32]] = []
    for progress in training.run():
        if progress.step % EVERY == 0 or progress.watched is not None:
            points.append(progress)
        if progress.watched is not None:
            weights.append(training.weights().copy())
        if progress.step == steps:
            break
    looks = [(each.step, each.watched) for each in points if each.watched is not None]
    return {
        "steps": np.array([each.step for each in points], np.int32),
        "losses": np.array([each.loss for each in points], np.float32),
        "gradient_norms": np.array([each.gradient_norm for each in points], np.float32),
        "looked": np.array([step for step, _ in looks], np.int32),
        "corpus_losses": np.array([look.corpus_loss for _, look in looks], np.float32),
        "probabilities": np.array([look.probabilities for _, look in looks], np.float32),
        "weights": np.array(weights, np.float32),
    }


if __name__ == "__main__":
    main()
