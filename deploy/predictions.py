"""Next-word predictions for many callers at once: one run answers all that are equally long."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from export.runtimes import Runner
from export.runtimes.onnx_runtime import onnxruntime_runner
from model.errors import InputError
from model.sampling import softmax
from ui.json_bodies import read_json
from ui.model_entry import ModelEntry
from ui.sentences import check_not_empty, read_text
from ui.shipped_models import FILES, model_ids, shipped_entry, unknown_model

BODY_LIMIT = 64 * 1024

Logits = list[float]


@dataclass(frozen=True)
class Asked:
    """One caller's sentence."""

    entry: ModelEntry
    tokens: tuple[int, ...]

    @property
    def window(self) -> tuple[int, ...]:
        """What the model sees of it."""
        return self.tokens[-self.entry.config.context_length :]


def read_asked(body: bytes) -> Asked:
    """`{"tokens": "我喜欢", "model": "teaching"}` as JSON.

    Raises:
        InputError: it is anything else.
    """
    if len(body) > BODY_LIMIT:
        raise InputError("body_size", limit=BODY_LIMIT // 1024)
    value = read_json(body)
    if not isinstance(value, dict):
        raise InputError("request_type", kind=type(value).__name__)
    entry = shipped_entry(_shipped(value.get("model", "teaching")))
    tokens = read_text(value.get("tokens"), entry)
    check_not_empty(tokens, entry)
    return Asked(entry, tuple(tokens))


def _shipped(model: Any) -> str:
    """`model` if its file is beside this; people's own models live in the page alone."""
    if model not in model_ids():
        raise unknown_model(model)
    return str(model)


def next_logits(asked: Sequence[Asked]) -> list[Logits]:
    """The logits for each of `asked`, in its order; those of one model and length in one run."""
    groups: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for place, one in enumerate(asked):
        groups[one.entry.id, len(one.window)].append(place)
    answers: list[Logits] = [[] for _ in asked]
    for (model, _), places in groups.items():
        token_ids = np.array([asked[place].window for place in places], dtype=np.int64)
        rows = _runner(model)(token_ids)["logits"][:, -1].tolist()
        for place, row in zip(places, rows, strict=True):
            answers[place] = row
    return answers


def answer(asked: Asked, logits: Logits) -> dict[str, Any]:
    """What the endpoint `next_token` answers."""
    vocabulary = asked.entry.vocabulary
    probabilities = softmax(np.array(logits)).tolist()
    return {
        "tokens": vocabulary.decode(list(asked.tokens)),
        "window": vocabulary.decode(list(asked.window)),
        "logits": dict(zip(vocabulary.words, logits, strict=True)),
        "probabilities": dict(zip(vocabulary.words, probabilities, strict=True)),
        "engine": "onnxruntime",
    }


@functools.cache
def _runner(model: str) -> Runner:
    return onnxruntime_runner(FILES / f"mini_gpt_{model}.onnx")
