"""Results as they are stored: one JSON file, written after every size, so a run can go on."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

Cell = dict[str, Any]
OURS = "mini-gpt"


class Results:
    """The stored results of one machine and one set of versions."""

    def __init__(self, path: Path, fresh: bool) -> None:
        self._path = path
        kept = path.exists() and not fresh
        self.data: dict[str, Any] = (
            json.loads(path.read_text(encoding="utf-8"))
            if kept
            else {"machine": {}, "titles": {}, "versions": {}, "missing": {}, "sizes": {}}
            | {"cells": [], "export": {}, "memory": {}, "eight_bits": {}, "page": {}}
        )

    def save(self) -> None:
        """Write the file; a run that is stopped loses the size it was in, and no more."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.data, indent=1, ensure_ascii=False, sort_keys=False)
        self._path.write_text(text + "\n", encoding="utf-8")

    def cells(self, **wanted: Any) -> list[Cell]:
        """The cells whose values are `wanted`."""
        return [
            cell
            for cell in self.data["cells"]
            if all(cell.get(key) == value for key, value in wanted.items())
        ]

    def add(self, cell: Cell) -> None:
        """One peer's timings in one place."""
        self.data["cells"].append(cell)


def summary(seconds: Iterable[float]) -> Cell:
    """Median, fastest and number of timings, in seconds to four digits."""
    values = sorted(seconds)
    return {
        "median": float(f"{median(values):.4g}"),
        "fastest": float(f"{values[0]:.4g}"),
        "count": len(values),
    }
