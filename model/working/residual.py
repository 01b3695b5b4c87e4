"""Workings of the two additions to the residual stream."""

from __future__ import annotations

from model.working.expression import Sum
from model.working.source import Source, residual_before
from model.working.steps import Step, gated, step


def after_attention(source: Source, key: str, cell: tuple[int, ...]) -> list[Step]:
    """What was on the road plus what attention brings."""
    block = key.rpartition(".")[0]
    before = source.operand(residual_before(int(block.split(".")[1])), *cell)
    carried, notes = gated(before, source.gate(f"{block}.residual_attention.gate"))
    update = source.operand(f"{block}.attention_update", *cell)
    return [step(source, key, cell, Sum((carried, update)), *notes)]


def after_ffn(source: Source, key: str, cell: tuple[int, ...]) -> list[Step]:
    """What was on the road plus what the FFN brings."""
    block = key.rpartition(".")[0]
    before = source.operand(f"{block}.residual_after_attention", *cell)
    carried, notes = gated(before, source.gate(f"{block}.residual_ffn.gate"))
    update = source.operand(f"{block}.ffn_update", *cell)
    return [step(source, key, cell, Sum((carried, update)), *notes)]
