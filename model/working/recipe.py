"""For one value of the network's table: its formula, and the lines of its working."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from model.values import Placed
from model.working.equations import Equation
from model.working.formula import Floats, Pass
from model.working.source import Source

Cell = tuple[int, ...]


@dataclass(frozen=True)
class Recipe:
    """formula: all cells at once, in float64, from earlier values; None for the next word, which
    the engine chooses. equations: the lines that lead to one cell, the cell's own last."""

    formula: Callable[[Pass, Placed], Floats] | None
    equations: Callable[[Source, str, Cell], list[Equation]]
