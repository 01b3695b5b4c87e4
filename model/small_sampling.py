"""The draw of `model.sampling` over a few words, in plain Python.

For five words NumPy spends thirty times as long on starting its operations as on doing them.
The steps and their order are those of `sampling_steps` and `choose`; tests hold the two
together. Leaves to NumPy what is rare: many words, top_p, logits that are not finite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_WORDS = 64
"""Words up to which this is faster; measured, it is level with NumPy at about 100."""


def draw(
    logits: Sequence[float], temperature: float, top_k: int | None, uniform: float, decimals: int
) -> int | None:
    """The id drawn by `uniform` in [0, 1), or None if a logit is not finite.

    temperature: above 0. decimals: to which probabilities are rounded before the draw.
    """
    largest = max(logits)
    if not math.isfinite(sum(logits)):
        return None
    weights = [math.exp((logit - largest) / temperature) for logit in logits]
    probabilities = _shares(weights)
    if top_k and top_k < len(probabilities):
        probabilities = _shares(_best(probabilities, top_k))
    scale = 10.0**decimals
    return _fallen_into([round(value * scale) for value in probabilities], uniform)


def _shares(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights]


def _best(probabilities: list[float], count: int) -> list[float]:
    """All but the `count` largest set to 0; the lower id first among equals."""
    order = sorted(range(len(probabilities)), key=lambda index: -probabilities[index])
    for index in order[count:]:
        probabilities[index] = 0.0
    return probabilities


def _fallen_into(weights: list[int], uniform: float) -> int:
    point = uniform * sum(weights)  # of whole numbers, so no edge is off by a rounding
    edge = 0
    for index, weight in enumerate(weights):
        edge += weight
        if point < edge:
            return index
    # The product was rounded up to the last edge: the last possible word is meant.
    return max(index for index, weight in enumerate(weights) if weight)
