"""A finished working: lines of text with the digits chosen, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from model.working.digits import Digits, chosen_digits
from model.working.expression import Piece, Ref, operands, render
from model.working.long_sums import fold_zeros, in_parts
from model.working.numbers import DECIMALS, result_text
from model.working.steps import Note, Step


@dataclass(frozen=True)
class Line:
    """`pieces` relation `result`. pieces: the expression; those with a ref are operands."""

    label: str
    target: Ref
    pieces: tuple[Piece, ...]
    relation: str  # "=", or "≈" where the engine's float32 rounding can't be shown away
    result: str
    notes: tuple[Note, ...]

    @property
    def expression(self) -> str:
        """The right-hand side as text."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def text(self) -> str:
        """The whole line as text."""
        return f"{self.expression} {self.relation} {self.result}"


@dataclass(frozen=True)
class Card:
    """The lines that lead to one cell; the last gives the cell itself."""

    target: Ref
    value: float
    lines: tuple[Line, ...]


def card(steps: list[Step], decimals: int = DECIMALS, fold: bool = True) -> Card:
    """`steps` with so many digits that what is shown works out, at least `decimals`.

    fold: leave out the zero terms of long sums, and count them.
    """
    lines = list(_prepared(steps, fold))
    needed: dict[Ref, int] = {}  # a result shows as many decimals as it is used with later
    finished: list[Line] = []
    for line in reversed(lines):
        digits = chosen_digits(
            line.node, line.value, decimals, max(decimals, needed.get(line.target, 0))
        )
        for operand in operands(line.node):
            needed[operand.ref] = max(needed.get(operand.ref, 0), digits.operand)
        finished.append(_finished(line, digits, decimals))
    return Card(steps[-1].target, steps[-1].value, tuple(reversed(finished)))


def _prepared(steps: list[Step], fold: bool) -> Iterable[Step]:
    parts = 0
    for whole in steps:
        lines = in_parts(fold_zeros(whole) if fold else whole, parts)
        parts += len(lines) - 1
        yield from lines


def _finished(line: Step, digits: Digits, decimals: int) -> Line:
    notes = list(line.notes)
    if digits.plain is not None and not digits.engine:
        got, meant = digits.plain
        notes.append(Note("digits", {"decimals": decimals, "plain": got, "result": meant}))
    if digits.engine:
        notes.append(Note("engine_rounding"))
    return Line(
        label=line.label,
        target=line.target,
        pieces=tuple(render(line.node, digits.operand)),
        relation="≈" if digits.approximate else "=",
        result=result_text(line.value, digits.result).text,
        notes=tuple(notes),
    )


def as_dict(made: Card) -> dict[str, Any]:
    """The card as JSON; minus infinity as null."""
    return {
        "key": made.target.key,
        "cell": list(made.target.cell),
        "lines": [_line_dict(line) for line in made.lines],
    }


def _line_dict(line: Line) -> dict[str, Any]:
    return {
        "label": line.label,
        "target": _ref_dict(line.target),
        "expression": line.expression,
        "relation": line.relation,
        "result": line.result,
        "pieces": [
            {"text": piece.text, "ref": None if piece.ref is None else _ref_dict(piece.ref)}
            for piece in line.pieces
        ],
        "notes": [{"key": note.key, "values": dict(note.values)} for note in line.notes],
    }


def _ref_dict(ref: Ref) -> dict[str, Any]:
    return {"key": ref.key, "cell": list(ref.cell)}
