"""The draw of `model.sampling` over a few words, in plain Python.

For five words NumPy's call overhead takes thirty times as long as the computation itself.
The steps and their order are those of `sampling_steps` and `choose`; tests check that both
agree. Rare cases are left to NumPy: many words, top_p, logits that are not finite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_WORDS = 64
"""Up to this many words this is faster; measured, NumPy catches up at about 100."""


def draw(
    logits: Sequence[float], temperature: float, top_k: int | None, uniform: float, decimals: int
) -> int | None:
    """The id drawn by `uniform` in [0, 1), or None if a logit is not finite.

    temperature: above 0. decimals: probabilities are rounded to these before the draw.
    """
    largest = max(logits)
    if not math.isfinite(sum(logits)):
        return None
    weights = [math.exp((logit - largest) / temperature) for logit in logits]
    probabilities = _shares(weights)
    if top_k and top_k < len(probabilities):
        probabilities = _shares(_best(probabilities, top_k))
    scale = 10.0**decimals
    return _chosen([round(value * scale) for value in probabilities], uniform)


def _shares(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights]


def _best(probabilities: list[float], count: int) -> list[float]:
    """All but the `count` largest set to 0; the lower id first among equals."""
    order = sorted(range(len(probabilities)), key=lambda index: -probabilities[index])
    for index in order[count:]:
        probabilities[index] = 0.0
    return probabilities


def _chosen(weights: list[int], uniform: float) -> int:
    point = uniform * sum(weights)  # integer weights, so the edges are exact
    edge = 0
    for index, weight in enumerate(weights):
        edge += weight
        if point < edge:
            return index
    # The product was rounded up to the last edge: take the last word with probability > 0.
    return max(index for index, weight in enumerate(weights) if weight)
