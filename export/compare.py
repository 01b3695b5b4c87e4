"""The comparison of two engines' named arrays, shared by page, command line and tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

ABSOLUTE_BOUND = 5e-6
"""For the shipped teaching weights and the seeded random ones. Measured with torch 2.13.0 and
ONNX Runtime 1.32: 7.2e-7 over all 30 prompts of the teaching model (the whole trace), 9.9e-7
over all 488,280 prompts of the random one (logits)."""

RELATIVE_FACTOR = 4.0
"""For any other weights: this many times PyTorch's own float32 error against float64."""


@dataclass(frozen=True)
class Difference:
    """The comparison of one named value. Shapes and dtypes are None where the value is missing."""

    name: str
    expected_shape: tuple[int, ...] | None
    actual_shape: tuple[int, ...] | None
    expected_dtype: str | None
    actual_dtype: str | None
    max_abs: float  # NaN if nothing could be compared
    max_rel: float  # max of |difference| / |expected|, where expected is finite and not 0
    differing: int  # cells that differ at all
    ok: bool

    def reason(self) -> str:
        """One readable line: what differs, or that nothing does."""
        if self.actual_shape is None:
            return f"{self.name}: missing"
        if self.expected_shape is None:
            return f"{self.name}: not expected"
        if self.expected_shape != self.actual_shape:
            return f"{self.name}: shape {self.actual_shape}, expected {self.expected_shape}"
        if self.expected_dtype != self.actual_dtype:
            return f"{self.name}: dtype {self.actual_dtype}, expected {self.expected_dtype}"
        verdict = "agrees" if self.ok else "DIFFERS"
        return f"{self.name}: {verdict}, max |Δ| {self.max_abs:.2e}, max rel {self.max_rel:.2e}"


def compare(
    expected: Mapping[str, Array],
    actual: Mapping[str, Array],
    bound: float | Mapping[str, float] = ABSOLUTE_BOUND,
) -> list[Difference]:
    """A Difference for every name on either side, in the order of `expected`.

    Checks the set of names, then shape, dtype and values. Equal infinities differ by 0; NaN
    on either side fails. bound: the largest |difference| allowed, for all names or by name.
    """
    names = [*expected, *(name for name in actual if name not in expected)]
    return [_difference(name, expected.get(name), actual.get(name), bound) for name in names]


def failures(differences: list[Difference]) -> list[Difference]:
    """Those that are not ok, in order: the first is the first trace value that differs."""
    return [difference for difference in differences if not difference.ok]


def largest(differences: list[Difference]) -> Difference:
    """The one with the largest max_abs; one that could not be compared counts as larger."""
    return max(differences, key=lambda d: np.inf if np.isnan(d.max_abs) else d.max_abs)


def _difference(
    name: str,
    expected: Array | None,
    actual: Array | None,
    bound: float | Mapping[str, float],
) -> Difference:
    about = (
        name,
        None if expected is None else expected.shape,
        None if actual is None else actual.shape,
        None if expected is None else str(expected.dtype),
        None if actual is None else str(actual.dtype),
    )
    if expected is None or actual is None or expected.shape != actual.shape:
        return Difference(*about, max_abs=np.nan, max_rel=np.nan, differing=0, ok=False)
    distance = absolute_distance(expected, actual)
    size = np.abs(expected.astype(np.float64))
    comparable = np.isfinite(size) & (size > 0) & np.isfinite(distance)
    relative = distance[comparable] / size[comparable]
    max_abs = float(distance.max(initial=0.0))
    allowed = bound if isinstance(bound, (int, float)) else bound[name]
    return Difference(
        *about,
        max_abs=max_abs,
        max_rel=float(relative.max(initial=0.0)),
        differing=int(np.count_nonzero(distance)),
        # NaN is not ok, and neither is an infinite difference, even if the bound is infinite.
        ok=expected.dtype == actual.dtype and math.isfinite(max_abs) and max_abs <= allowed,
    )


def absolute_distance(expected: Array, actual: Array) -> NDArray[np.float64]:
    """|expected - actual| cell by cell in float64; 0 between equal infinities, NaN stays NaN."""
    left, right = expected.astype(np.float64), actual.astype(np.float64)
    distance = np.zeros(left.shape, dtype=np.float64)
    same = left == right  # covers equal infinities, whose difference would be NaN
    with np.errstate(invalid="ignore"):
        np.subtract(left, right, out=distance, where=~same)
    return np.abs(distance)
