"""The record of a load test: times by kind of action, refusals, errors."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from statistics import median
from typing import Any


class Tally:
    """Filled by all users of a crowd."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self._seconds: defaultdict[str, list[float]] = defaultdict(list)
        self._counts: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()

    def took(self, kind: str, seconds: float) -> None:
        """Record the duration of an action."""
        self._seconds[kind].append(seconds)

    def count(self, what: str) -> None:
        """Count an event that has no duration."""
        self._counts[what] += 1

    def error(self, what: str) -> None:
        """Count an event that must not happen."""
        self.errors[what] += 1

    def summary(self) -> dict[str, Any]:
        """By kind: number, median, p95, p99, slowest (milliseconds); errors by kind."""
        return {
            "seconds": round(time.monotonic() - self.began, 1),
            "actions": {kind: _spread(times) for kind, times in sorted(self._seconds.items())},
            "counts": dict(self._counts),
            "errors": dict(self.errors),
        }


def _spread(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return round(1e3 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return {
        "count": len(ordered),
        "median_ms": round(1e3 * median(ordered), 1),
        "p95_ms": at(0.95),
        "p99_ms": at(0.99),
        "slowest_ms": round(1e3 * ordered[-1], 1),
    }
