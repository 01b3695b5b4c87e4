"""From logits to the next word: every step from softmax to the draw, in NumPy.

No torch here: the page samples before torch is loaded, and both engines share this code.
Draws come from one seeded generator, on probabilities rounded to `DRAW_DECIMALS`: engines
differ in the seventh decimal, and a draw between the two would make their texts diverge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model import small_sampling
from model.errors import InputError

Floats = NDArray[np.floating[Any]]

DRAW_DECIMALS = 6


@dataclass(frozen=True)
class SamplingSettings:
    """How the next word is chosen.

    temperature: 0 is argmax (ties go to the lowest id); larger is flatter. Any finite number >= 0.
    top_k: keep the k most probable words; 0 or None keeps all, and so does any k >= vocab_size.
    top_p: keep the most probable words until their sum reaches top_p; the word that crosses
        stays in. In (0, 1]; 1 keeps all.

    Raises:
        InputError: a value is outside its range or not a finite number.
    """

    temperature: float = 0.0
    top_k: int | None = None
    top_p: float = 1.0

    def __post_init__(self) -> None:
        if not _is_finite(self.temperature) or self.temperature < 0:
            raise InputError("temperature", value=repr(self.temperature))
        if self.top_k is not None and not _is_whole(self.top_k, lowest=0):
            raise InputError("top_k", value=repr(self.top_k))
        if not _is_finite(self.top_p) or not 0 < self.top_p <= 1:
            raise InputError("top_p", value=repr(self.top_p))


@dataclass(frozen=True)
class SamplingSteps:
    """The result of each step for one batch of logits; every array is [batch, vocab_size].

    `probabilities` is what the draw uses; with temperature 0 it is one-hot on the argmax.
    """

    scaled_logits: Floats
    after_temperature: Floats
    after_top_k: Floats
    after_top_p: Floats
    probabilities: Floats


def softmax(logits: Floats) -> Floats:
    """exp(logit - max) / sum, along the last axis, in float64."""
    values = np.asarray(logits, dtype=np.float64)
    exponentials = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))


def sampling_steps(logits: Floats, settings: SamplingSettings) -> SamplingSteps:
    """Temperature, top_k, renormalise, top_p, renormalise: the distribution after each.

    logits: [batch, vocab_size], finite.

    Raises:
        InputError: a logit is not finite, so there is no distribution to draw from.
    """
    values = np.asarray(logits, dtype=np.float64)
    if not np.isfinite(values).all():
        raise InputError("logits_not_finite")
    if settings.temperature == 0:
        chosen = _one_hot(values.argmax(axis=-1), values.shape[-1])
        return SamplingSteps(values, chosen, chosen, chosen, chosen)
    # Subtracting the largest first keeps tiny temperatures from overflowing to inf - inf.
    with np.errstate(over="ignore"):
        scaled = (values - values.max(axis=-1, keepdims=True)) / settings.temperature
    spread = softmax(scaled)
    after_top_k = _keep(spread, _top_k_kept(spread, settings.top_k))
    after_top_p = _keep(after_top_k, _top_p_kept(after_top_k, settings.top_p))
    drawn_from = np.round(after_top_p, DRAW_DECIMALS)
    drawn_from = drawn_from / drawn_from.sum(axis=-1, keepdims=True)
    return SamplingSteps(scaled, spread, after_top_k, after_top_p, drawn_from)


def draw_numbers(seed: int, batch: int, count: int, start: int = 0) -> NDArray[np.float64]:
    """Uniform numbers [count, batch] of the generator seeded with `seed`, from step `start` on.

    Step `n` of a generation uses row `n`, so a page that requests one token at a time gets
    the same tokens as one long call.
    """
    check_seed(seed)
    bits = np.random.PCG64(seed)
    bits.advance(start * batch)  # `random` takes one 64-bit output per number
    return np.asarray(np.random.Generator(bits).random((count, batch)))


def choose(probabilities: Floats, uniforms: Floats) -> NDArray[np.int64]:
    """The word whose interval of the cumulative distribution contains each uniform number.

    probabilities: [batch, vocab_size], rows sum to 1; uniforms: [batch] in [0, 1).
    Returns next_id [batch, 1].
    """
    edges = np.cumsum(probabilities, axis=-1)
    below = (edges <= np.asarray(uniforms)[:, None]).sum(axis=-1)
    # A last edge of 0.999… may lie below the number: take the last word with probability > 0.
    last_possible = probabilities.shape[-1] - 1 - (probabilities[:, ::-1] > 0).argmax(axis=-1)
    chosen: NDArray[np.int64] = np.minimum(below, last_possible).astype(np.int64)
    return chosen[:, None]


def sample_next_token(
    logits: Floats, settings: SamplingSettings, uniforms: Floats | None = None
) -> NDArray[np.int64]:
    """next_id [batch, 1] for logits [batch, vocab_size].

    uniforms: [batch] from `draw_numbers`; not needed when temperature is 0.
    """
    if settings.temperature > 0 and settings.top_p >= 1 and uniforms is not None:
        chosen = _choose_among_few(logits, settings, uniforms)
        if chosen is not None:
            return chosen
    steps = sampling_steps(logits, settings)
    if settings.temperature == 0:
        return np.asarray(steps.probabilities.argmax(axis=-1), dtype=np.int64)[:, None]
    if uniforms is None:
        raise ValueError("sampling with temperature > 0 needs uniforms, one per batch row")
    return choose(steps.probabilities, uniforms)


def _choose_among_few(
    logits: Floats, settings: SamplingSettings, uniforms: Floats
) -> NDArray[np.int64] | None:
    """`choose` of `sampling_steps` without NumPy's call overhead; None if NumPy has to do it."""
    if logits.ndim != 2 or logits.shape[1] > small_sampling.MOST_WORDS or len(logits) != 1:
        return None
    (row,), (uniform,) = logits.tolist(), uniforms.tolist()
    drawn = small_sampling.draw(row, settings.temperature, settings.top_k, uniform, DRAW_DECIMALS)
    return None if drawn is None else np.array([[drawn]])


def check_seed(seed: Any) -> None:
    """Raise InputError unless `seed` is a whole number in [0, 2**63)."""
    if not _is_whole(seed, lowest=0) or seed >= 2**63:
        raise InputError("seed", value=repr(seed))


def check_count(count: Any, lowest: int, highest: int) -> None:
    """Raise InputError unless `count` is a whole number in [lowest, highest]."""
    if not _is_whole(count, lowest) or count > highest:
        raise InputError("count", value=repr(count), lowest=lowest, highest=highest)


def _top_k_kept(probabilities: Floats, top_k: int | None) -> NDArray[np.bool_]:
    size = probabilities.shape[-1]
    if not top_k or top_k >= size:
        return np.ones(probabilities.shape, dtype=bool)
    return _ranks(probabilities) < top_k


def _top_p_kept(probabilities: Floats, top_p: float) -> NDArray[np.bool_]:
    if top_p >= 1:
        return np.ones(probabilities.shape, dtype=bool)
    order = np.argsort(-probabilities, axis=-1, kind="stable")
    ordered = np.take_along_axis(probabilities, order, axis=-1)
    before = np.cumsum(ordered, axis=-1) - ordered  # the sum of all more probable words
    kept = np.empty(probabilities.shape, dtype=bool)
    np.put_along_axis(kept, order, before < top_p, axis=-1)
    return kept


def _ranks(probabilities: Floats) -> NDArray[np.int64]:
    """0 for the most probable word of each row; the lower id first among equals."""
    order = np.argsort(-probabilities, axis=-1, kind="stable")
    ranks = np.empty(order.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.arange(order.shape[-1])[None, :], axis=-1)
    return ranks


def _keep(probabilities: Floats, kept: NDArray[np.bool_]) -> Floats:
    """Zero what is not kept, and renormalise."""
    remaining = np.where(kept, probabilities, 0.0)
    return np.asarray(remaining / remaining.sum(axis=-1, keepdims=True))


def _one_hot(ids: NDArray[np.intp], size: int) -> Floats:
    return np.eye(size)[ids]


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an int too large for a float
        return False


def _is_whole(value: Any, lowest: int) -> bool:
    number = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return number and value >= lowest
