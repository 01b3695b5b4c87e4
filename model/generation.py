"""Autoregressive generation, for any engine that turns token ids into logits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from model.arrays import as_array
from model.config import check_token_ids
from model.errors import InputError
from model.sampling import (
    Floats,
    SamplingSettings,
    check_count,
    draw_numbers,
    sample_next_token,
)

Ids = NDArray[np.int64]
NextLogits = Callable[[Ids], Floats]
"""Window ids [batch, <= context_length] -> last_logits [batch, vocab_size]."""


class Sized(Protocol):
    """Anything that states the sizes of the network (`MiniGPTConfig` does)."""

    @property
    def vocab_size(self) -> int: ...

    @property
    def context_length(self) -> int: ...


class GenerationStep(NamedTuple):
    """One appended word: the window the model saw, its logits, and what was chosen."""

    window: Ids  # [batch, min(sequence, context_length)]
    last_logits: Floats  # [batch, vocab_size]
    next_id: Ids  # [batch, 1]


@dataclass(frozen=True)
class Generation:
    """token_ids [batch, sequence + max_new_tokens], and one step per appended word."""

    token_ids: Ids
    steps: tuple[GenerationStep, ...]


def window_of(token_ids: Ids, context_length: int) -> Ids:
    """The last `context_length` tokens: what the model sees, at positions 0, 1, ….

    [batch, sequence] -> [batch, min(sequence, context_length)]
    """
    return token_ids[:, -context_length:]


def generation_step(
    next_logits: NextLogits,
    token_ids: Ids,
    context_length: int,
    settings: SamplingSettings,
    uniforms: Floats | None,
) -> GenerationStep:
    """Choose the word that follows `token_ids` [batch, sequence]; appends nothing itself."""
    window = window_of(token_ids, context_length)
    last_logits = next_logits(window)
    return GenerationStep(window, last_logits, sample_next_token(last_logits, settings, uniforms))


def generate(
    model: Any,
    token_ids: Any,
    max_new_tokens: int,
    *,
    temperature: float = 0.0,
    top_k: int | None = None,
    top_p: float = 1.0,
    seed: int = 0,
    next_logits: NextLogits | None = None,
) -> Generation:
    """Append `max_new_tokens` words to each row of `token_ids` [batch, sequence].

    model: a `MiniGPT`; or, with `next_logits` given, anything with `vocab_size` and
        `context_length` (an engine other than PyTorch).
    token_ids: integer array or tensor; may be longer than `context_length`: the model sees
        the last `context_length` tokens at positions 0, 1, …, and `steps[i].window` says which.

    Raises:
        InputError: ids, count, seed or a sampling setting is out of range.
    """
    settings = SamplingSettings(temperature, top_k, top_p)
    check_count(max_new_tokens, 0, 2**31 - 1)
    sizes: Sized = getattr(model, "config", model)
    ids = _as_ids(token_ids, sizes.vocab_size)
    run = next_logits or _torch_next_logits(model)
    uniforms = draw_numbers(seed, len(ids), max_new_tokens)
    steps: list[GenerationStep] = []
    for row in uniforms:
        step = generation_step(run, ids, sizes.context_length, settings, row)
        ids = np.concatenate([ids, step.next_id], axis=1)  # [batch, sequence + 1]
        steps.append(step)
    return Generation(ids, tuple(steps))


def _as_ids(token_ids: Any, vocab_size: int) -> Ids:
    try:
        array = np.asarray(token_ids)
    except ValueError as error:
        raise InputError("ids_ragged") from error
    if array.dtype.kind in "US":
        raise InputError("ids_text")
    if array.dtype == object:  # an integer too large for any dtype, or not a number
        _check_objects(array, vocab_size)
    check_token_ids(array, vocab_size, context_length=None)
    return array.astype(np.int64)


def _check_objects(array: NDArray[Any], vocab_size: int) -> None:
    for value in array.ravel().tolist():
        if not isinstance(value, int):
            raise InputError("ids_dtype", dtype=type(value).__name__)
        if not 0 <= value < vocab_size:
            raise InputError("ids_range", value=str(value)[:60], last=vocab_size - 1)


def _torch_next_logits(model: Any) -> NextLogits:
    """The last position's logits of a MiniGPT, dropout off, gradients off."""
    import torch

    def run(window: Ids) -> Floats:
        was_training = model.training
        if was_training:  # generation runs without dropout
            model.eval()
        try:
            with torch.inference_mode():
                logits, _ = model(torch.from_numpy(np.ascontiguousarray(window)))
        finally:
            if was_training:
                model.train()
        return as_array(logits[:, -1, :])

    return run
