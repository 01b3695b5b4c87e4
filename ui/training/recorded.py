"""The recorded run that the training panel opens with: the recipe of the shipped trained weights.

Written by `python -m tools.record_training`; read without torch. It ends at other weights than the
shipped ones where processors round differently (see `model.trained`).
"""

from __future__ import annotations

import json
import secrets
from functools import cache
from pathlib import Path
from typing import Any

from safetensors.numpy import load_file

import model
from model.config import MiniGPTConfig
from model.corpus import WORD, corpus_of
from model.training_settings import TrainingSettings
from ui.training.history import History
from ui.training.jobs import RECORDED, RECORDED_ID, Job, Keys
from ui.training.spec import RANDOM, TrainingSpec

RECIPE = Path(model.__file__).parent / "recipes" / "trained.json"
FILE = Path(__file__).parent / "recorded.safetensors"


@cache
def recorded_job() -> Job:
    """The run as a job that has no process and whose key nobody gets."""
    keys = Keys(RECORDED_ID, secrets.token_hex(16))
    return Job(keys, "", recorded_spec(), RECORDED, recorded_history())


def recorded_spec() -> TrainingSpec:
    """The recipe as the specification of a training."""
    recipe = json.loads(RECIPE.read_text(encoding="utf-8"))
    text = (RECIPE.parent / recipe["corpus"]).read_text(encoding="utf-8")
    corpus = corpus_of(text, None)
    watched = (tuple(corpus.vocabulary.encode(prompt)) for prompt in recipe["watched"])
    return TrainingSpec(
        config=MiniGPTConfig(**recipe["model"]),
        corpus=corpus,
        corpus_text=text,
        unit=None,
        line_ends=WORD,
        settings=TrainingSettings(**recipe["training"]),
        start=RANDOM,
        watched=tuple(watched),
    )


def recorded_history() -> History:
    """The points and the kept weights of the recorded run."""
    kept = load_file(FILE)
    looks: dict[int, tuple[float, Any]] = {
        step: (loss, probabilities)
        for step, loss, probabilities in zip(
            kept["looked"].tolist(),
            kept["corpus_losses"].tolist(),
            kept["probabilities"].tolist(),
            strict=True,
        )
    }
    columns = (kept[name].tolist() for name in ("steps", "losses", "gradient_norms"))
    points = zip(*columns, strict=True)
    return History(
        points=[[*point, *looks.get(point[0], (None, None))] for point in points],
        kept_steps=kept["looked"].tolist(),
        kept_weights=list(kept["weights"]),
    )
