"""Workings of the two additions to the residual stream."""

from __future__ import annotations

from model.values import Placed
from model.working.equations import Equation, equation, gated
from model.working.expression import Sum
from model.working.formula import Floats, Pass
from model.working.recipe import Recipe
from model.working.source import Source

_GATES = {
    "residual_after_attention": "residual_attention.gate",
    "residual_after_ffn": "residual_ffn.gate",
}


def added(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The residual stream plus the update of attention or the FFN."""
    block, _, name = key.rpartition(".")
    before, update = (source.operand(read, *cell) for read in source.reads(key))
    carried, notes = gated(before, source.gate(f"{block}.{_GATES[name]}"))
    return [equation(source, key, cell, Sum((carried, update)), *notes)]


def _sum(a_pass: Pass, at: Placed) -> Floats:
    before, update = a_pass.read(at)
    return a_pass.added(before * a_pass.gate(at, _GATES[at.value.name]), update)


RECIPES = {name: Recipe(_sum, added) for name in _GATES}
