"""The comparison itself: what it must see, and what it must let pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from export.compare import compare, failures, largest

BASE = {
    "a": np.array([[1.0, -np.inf], [0.0, 4.0]], dtype=np.float32),
    "b": np.array([2.0], dtype=np.float32),
}


def changed(**values: Any) -> dict[str, Any]:
    return {**BASE, **values}


def test_equal_arrays_agree_and_equal_infinities_differ_by_zero() -> None:
    for difference in compare(BASE, changed()):
        assert difference.ok
        assert difference.max_abs == difference.max_rel == difference.differing == 0


def test_a_difference_is_measured() -> None:
    nudged = BASE["a"].copy()
    nudged[1, 1] += 0.5
    first, second = compare(BASE, changed(a=nudged))
    assert (first.max_abs, first.max_rel, first.differing, first.ok) == (0.5, 0.125, 1, False)
    assert second.ok
    assert "DIFFERS" in first.reason()
    assert largest([first, second]) is first


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (np.array([2.0, 2.0], dtype=np.float32), "shape (2,), expected (1,)"),
        (np.array([2.0], dtype=np.float64), "dtype float64, expected float32"),
        (np.array([np.nan], dtype=np.float32), "DIFFERS"),
        (np.array([np.inf], dtype=np.float32), "DIFFERS"),
    ],
)
def test_what_is_not_the_same(value: Any, reason: str) -> None:
    failed = failures(compare(BASE, changed(b=value)))
    assert [difference.name for difference in failed] == ["b"]
    assert reason in failed[0].reason()


def test_opposite_infinities_and_shared_nan_fail() -> None:
    opposite = np.array([[1.0, np.inf], [0.0, 4.0]], dtype=np.float32)
    assert failures(compare(BASE, changed(a=opposite)))
    both_nan = {"a": np.array([np.nan])}
    assert failures(compare(both_nan, both_nan))


def test_no_bound_allows_an_infinite_difference() -> None:
    """As it is measured where float32 overflows in one engine and float64 does not."""
    overflown = {"b": np.array([np.inf], dtype=np.float32)}
    assert failures(compare({"b": BASE["b"]}, overflown, {"b": np.inf}))
    assert not failures(compare(overflown, overflown, {"b": np.inf}))


def test_missing_and_unexpected_names() -> None:
    missing = failures(compare(BASE, {"a": BASE["a"]}))
    extra = failures(compare(BASE, changed(c=BASE["b"])))
    assert [d.reason() for d in missing] == ["b: missing"]
    assert [d.reason() for d in extra] == ["c: not expected"]
    assert np.isnan(largest(missing).max_abs)


def test_what_could_not_be_compared_counts_as_the_largest_difference() -> None:
    nudged = compare(BASE, {"a": BASE["a"] + np.float32(0.5)})  # b is missing
    assert largest(nudged).name == "b"
    assert largest(nudged[::-1]).name == "b"


def test_bounds_by_name() -> None:
    nudged = changed(b=np.array([2.001], dtype=np.float32))
    assert not failures(compare(BASE, nudged, {"a": 0.0, "b": 0.01}))
    assert failures(compare(BASE, nudged, {"a": 1.0, "b": 0.0}))
