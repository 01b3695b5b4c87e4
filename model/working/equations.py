"""One line of a working before its digits are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from model.working.expression import Node, Operand, Product, Ref, Sum
from model.working.source import Source


@dataclass(frozen=True)
class Note:
    """A remark: the key of a sentence (`working.note.{key}` of the page's strings), its values."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Equation:
    """`target` is computed as `node` and is `value`; `label` names it.

    engine: the engine's value, in float32; None if engines do not output it.
    """

    label: str
    target: Ref
    node: Node
    value: float
    notes: tuple[Note, ...] = ()
    engine: float | None = None


def equation(source: Source, key: str, cell: tuple[int, ...], node: Node, *notes: Note) -> Equation:
    """The line that computes one cell, labelled by the last part of its key."""
    found = source.operand(key, *cell)
    return Equation(key.rpartition(".")[2], found.ref, node, found.value, notes, found.engine)


def gated(node: Node, *gates: Operand | None) -> tuple[Node, tuple[Note, ...]]:
    """`node` times the gates other than 1, and a note: switched off or dropout."""
    changing = tuple(gate for gate in gates if gate is not None)
    if not changing:
        return node, ()
    note = Note("switched_off" if any(gate.value == 0 for gate in changing) else "dropout")
    return Product((node, *changing)), (note,)


def dot(pairs: list[tuple[Operand, ...]], bias: Operand | None = None) -> Sum:
    """Products of each tuple, summed, then the bias."""
    terms: list[Node] = [Product(pair) for pair in pairs]
    return Sum((*terms, bias) if bias is not None else tuple(terms))


def linear(
    source: Source, weight: str, row: int, inputs: tuple[str, int], bias: str | None = None
) -> Sum:
    """One output of a linear layer: weight[row] · inputs[position] + bias[row]."""
    key, position = inputs
    columns = range(source.array(weight).shape[1])
    pairs: list[tuple[Operand, ...]] = [
        (source.operand(weight, row, column), source.operand(key, position, column))
        for column in columns
    ]
    return dot(pairs, None if bias is None else source.operand(bias, row))
