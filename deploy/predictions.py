"""Batched next-word predictions: sentences of the same length are answered by one run.

Used by `deploy.ray_serve`, and independent of Ray.
"""

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
    """One request's sentence."""

    entry: ModelEntry
    tokens: tuple[int, ...]

    @property
    def window(self) -> tuple[int, ...]:
        """The last words, at most context_length, which are all that the model sees."""
        return self.tokens[-self.entry.config.context_length :]


def read_asked(body: bytes) -> Asked:
    """`{"tokens": "我喜欢", "model": "teaching"}` as JSON.

    Raises:
        InputError: the body is anything else.
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
    """`model` if it is shipped; users' own models exist only in the page's server."""
    if model not in model_ids():
        raise unknown_model(model)
    return str(model)


def next_logits(asked: Sequence[Asked]) -> list[Logits]:
    """The logits for each of `asked`, in this order; one run per model and length."""
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
    """The same answer as the endpoint `next_token`."""
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
