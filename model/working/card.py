"""A finished working: lines of text, with the number of digits chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from model.working.digits import Digits, chosen_digits, plain_result, worked_out
from model.working.equations import Equation, Note
from model.working.expression import (
    Node,
    Operand,
    Piece,
    Ref,
    evaluate_exactly,
    operands,
    render,
)
from model.working.long_sums import REST, fold_rest, fold_zeros, in_parts
from model.working.numbers import DECIMALS, Shown, fixed_text


@dataclass(frozen=True)
class Line:
    """`pieces` relation `result`. pieces: the expression; those with a ref are operands."""

    label: str
    target: Ref
    pieces: tuple[Piece, ...]
    relation: str  # "=" if both sides as written are equal, "≈" if the right one is rounded
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


def card(equations: list[Equation], decimals: int = DECIMALS, fold: bool = True) -> Card:
    """`equations` as text: `decimals`, and more where the shown arithmetic would not come out.

    fold: leave out the zero terms of long sums and fold most others of very long ones, and state
        how many there are.
    """
    lines = list(_prepared(equations, fold))
    digits = chosen_digits(lines, decimals)
    noted: set[Ref] = set()  # numbers whose engine value a note has given already
    finished = tuple(_finished(line, digits, noted) for line in lines)
    return Card(equations[-1].target, equations[-1].value, finished)


def _prepared(equations: list[Equation], fold: bool) -> Iterable[Equation]:
    parts = 0
    for whole in equations:
        lines = in_parts(fold_rest(fold_zeros(whole)) if fold else whole, parts)
        parts += len(lines) - 1
        yield from lines


def _finished(line: Equation, digits: Digits, noted: set[Ref]) -> Line:
    shown = digits.shown(line.value)
    notes = list(line.notes)
    plain = plain_result(line, digits)
    if plain is not None:
        result = Digits(digits.least).shown(line.value).text
        notes.append(Note("digits", {"decimals": digits.least, "plain": plain, "result": result}))
    return Line(
        label=line.label,
        target=line.target,
        pieces=tuple(map(_without_rest, render(line.node, digits.shown))),
        relation="=" if _is_equal(line.node, digits, shown) else "≈",
        result=shown.text,
        notes=(*notes, *_engine_notes(line, digits, noted)),
    )


def _without_rest(piece: Piece) -> Piece:
    """A subtotal of what is not written is in no cell."""
    return Piece(piece.text) if piece.ref is not None and piece.ref.key == REST else piece


def _is_equal(node: Node, digits: Digits, shown: Shown) -> bool:
    """Whether both sides as written are the same number."""
    if not shown.decimal.is_finite():
        return worked_out(node, digits) == shown.value
    worked = evaluate_exactly(node, lambda operand: digits.shown(operand.value).decimal)
    return worked is not None and worked == Fraction(shown.decimal)


def _engine_notes(line: Equation, digits: Digits, noted: set[Ref]) -> Iterator[Note]:
    """The engine's float32 values that differ in the digits shown, each once per card."""
    target = Operand(line.value, line.target, line.engine)
    for number in (*operands(line.node), target):
        if number.engine is None or number.ref in noted:
            continue
        shown = digits.shown(number.value)
        places = max(digits.of(number.value), _decimals_of(shown))
        engine = fixed_text(number.engine, places)
        if engine != fixed_text(number.value, places):
            noted.add(number.ref)
            yield Note("engine_rounding", {"formula": shown.text, "engine": engine})


def _decimals_of(shown: Shown) -> int:
    """How many decimals the text has; for a power of ten, those of the number it stands for."""
    exponent = shown.decimal.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


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
