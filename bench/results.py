"""Stored results: one JSON file, written after each size, so that a run can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from model.errors import InputError

Cell = dict[str, Any]
_TABLES = (
    *("machine", "titles", "versions", "missing", "sizes"),
    *("export", "memory", "eight_bits", "page"),
)
OURS = "mini-gpt"


class Results:
    """The stored results of one machine and one set of versions.

    Raises:
        InputError: the content of `path` is something else.
    """

    def __init__(self, path: Path, fresh: bool) -> None:
        self._path = path
        kept = path.exists() and not fresh
        empty: dict[str, Any] = {key: {} for key in _TABLES} | {"cells": []}
        self.data = _stored(path, empty) if kept else empty

    def save(self) -> None:
        """Write the file; an interrupted run loses only the size that it was measuring."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.data, indent=1, ensure_ascii=False, sort_keys=False)
        self._path.write_text(text + "\n", encoding="utf-8")

    def cells(self, **wanted: Any) -> list[Cell]:
        """The cells that have all values in `wanted`."""
        return [
            cell
            for cell in self.data["cells"]
            if all(cell.get(key) == value for key, value in wanted.items())
        ]

    def add(self, cell: Cell) -> None:
        """Add one peer's timings at one position."""
        self.data["cells"].append(cell)


def _stored(path: Path, empty: dict[str, Any]) -> dict[str, Any]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError("other_results", file=str(path)) from error
    alike = isinstance(stored, dict) and all(
        isinstance(stored.get(key), type(value)) for key, value in empty.items()
    )
    if not alike:
        raise InputError("other_results", file=str(path))
    return dict(stored)


def summary(seconds: Iterable[float]) -> Cell:
    """Median and minimum, in seconds to four significant digits, and number of timings."""
    values = sorted(seconds)
    return {
        "median": float(f"{median(values):.4g}"),
        "fastest": float(f"{values[0]:.4g}"),
        "count": len(values),
    }
