"""The bias of `lm_head` as a part of the last LayerNorm's shift.

logits = W (g n + s) + b, with n the normalised residual stream, g and s the LayerNorm's gain and
shift. If W d + c 1 = b, the network with the shift s + d and no bias gives logits - c, and a
constant changes no probability. For at most model_dim + 1 words there almost always is such a d;
for more only if b lies in the span of W's columns and 1 (zero does).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.parameters import Weights

EXACT = 1e-6
"""Largest error of a logit, relative to the largest bias or 1, that counts as rounding: float32
rounds numbers near 1 to 6e-8, and the sum has model_dim terms."""

_SHIFT, _HEAD, _BIAS = "final_norm.bias", "lm_head.weight", "lm_head.bias"


@dataclass(frozen=True)
class Folding:
    """A bias folded into the shift.

    shift: the last LayerNorm's new shift [C], float32. constant: what is missing from every
    logit. error: the largest error of a logit beside that constant.
    """

    shift: NDArray[np.float32]
    constant: float
    error: float
    is_exact: bool


def folding(weights: Weights) -> Folding:
    """The best folding of the bias; a bias of zeros changes nothing."""
    shift = np.asarray(weights[_SHIFT], np.float32)
    bias = np.asarray(weights[_BIAS], np.float64)
    if not bias.any():
        return Folding(shift, 0.0, 0.0, is_exact=True)
    head = np.asarray(weights[_HEAD], np.float64)
    allowed = EXACT * max(1.0, float(np.abs(bias).max()))
    without = _solved(head, bias, shift, allowed)
    if without.is_exact:  # the raw logits stay the same too
        return without
    ones = np.ones((len(head), 1))
    return _solved(np.hstack((head, ones)), bias, shift, allowed)


def _solved(
    columns: NDArray[Any], bias: NDArray[Any], shift: NDArray[np.float32], allowed: float
) -> Folding:
    """columns: W [V, C], or W and a column of ones [V, C + 1]."""
    solution = np.linalg.lstsq(columns, bias, rcond=None)[0]
    channels = len(shift)
    constant = float(solution[channels]) if len(solution) > channels else 0.0
    folded = (shift.astype(np.float64) + solution[:channels]).astype(np.float32)
    moved = folded.astype(np.float64) - shift  # with the rounding to float32
    error = float(np.abs(columns[:, :channels] @ moved + constant - bias).max())
    return Folding(folded, constant, error, is_exact=error <= allowed)
