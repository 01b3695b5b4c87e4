"""The lesson's two sentences as one batch: logits to one loss, and logits to next words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.corpus import Windows
from model.sampling import SamplingSettings, sample_next_token, softmax

Ids = NDArray[np.int64]
Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class LessonBatch:
    """Every array of both paths; B rows, T positions, V words. The last three: generation."""

    token_ids: Ids  # [B, T]
    logits: Floats  # [B, T, V]
    flat_logits: Floats  # [B*T, V]
    targets: Ids  # [B, T]
    flat_targets: Ids  # [B*T]
    loss: Floats  # []: mean cross entropy, in nats
    last_logits: Floats  # [B, V]
    next_id: Ids  # [B, 1], argmax
    appended_ids: Ids  # [B, T+1]


def lesson_batch(windows: Windows, logits_of: Callable[[Ids], Floats]) -> LessonBatch:
    """The batch through the network `logits_of`: ids [B, T] -> logits [B, T, V].

    windows: without ignored targets.
    """
    ids, targets = windows.token_ids, windows.targets
    logits = logits_of(ids)
    flat_logits, flat_targets = logits.reshape(-1, logits.shape[-1]), targets.reshape(-1)
    chances = softmax(flat_logits)[np.arange(len(flat_targets)), flat_targets]
    last_logits = logits[:, -1]
    next_id = sample_next_token(last_logits, SamplingSettings())
    return LessonBatch(
        ids,
        logits,
        flat_logits,
        targets,
        flat_targets,
        np.asarray(-np.log(chances).mean()),
        last_logits,
        next_id,
        np.concatenate([ids, next_id], axis=1),
    )
