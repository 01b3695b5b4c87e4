"""Arithmetic as a tree: shown with so many decimals, and evaluated with just those.

A tree is built from operands that know which cell they came from. `render` writes it as a
person would; `evaluate` works it out from the digits that `render` shows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from model.working.numbers import Shown, operand_text


@dataclass(frozen=True)
class Ref:
    """A cell: of a trace value, of a derived value, of a weight, or `line` (n,) of this card."""

    key: str
    cell: tuple[int, ...]


@dataclass(frozen=True)
class Operand:
    """A number that came from somewhere. single: it is a float32."""

    value: float
    ref: Ref
    single: bool = True


@dataclass(frozen=True)
class Constant:
    """A number that belongs to the formula: the 2 under a root, the eps of LayerNorm."""

    text: str
    value: float


@dataclass(frozen=True)
class Sum:
    """a + b + …"""

    terms: tuple[Node, ...]


@dataclass(frozen=True)
class Difference:
    """a − b"""

    left: Node
    right: Node


@dataclass(frozen=True)
class Product:
    """a×b×…"""

    factors: tuple[Node, ...]


@dataclass(frozen=True)
class Quotient:
    """a ÷ b"""

    top: Node
    bottom: Node


@dataclass(frozen=True)
class Square:
    """a²"""

    base: Node


@dataclass(frozen=True)
class Call:
    """exp(a), ln(a), erf(a), √a or max(a, b, …)."""

    name: str
    arguments: tuple[Node, ...]


Node: TypeAlias = Operand | Constant | Sum | Difference | Product | Quotient | Square | Call


@dataclass(frozen=True)
class Piece:
    """A stretch of the text; an operand's has the cell it came from."""

    text: str
    ref: Ref | None = None


def evaluate(node: Node, decimals: int | None) -> float:
    """The value of `node` from operands as shown with `decimals`; None: from the full values."""
    match node:
        case Operand():
            return node.value if decimals is None else _shown(node, decimals).value
        case Constant():
            return node.value
        case Sum():
            return math.fsum(evaluate(term, decimals) for term in node.terms)
        case Difference():
            return evaluate(node.left, decimals) - evaluate(node.right, decimals)
        case Product():
            return math.prod(evaluate(factor, decimals) for factor in node.factors)
        case Quotient():
            return evaluate(node.top, decimals) / evaluate(node.bottom, decimals)
        case Square():
            return evaluate(node.base, decimals) ** 2
        case Call():
            return _call(node.name, [evaluate(argument, decimals) for argument in node.arguments])


def _call(name: str, values: list[float]) -> float:
    match name:
        case "exp":
            return math.exp(values[0])
        case "ln":
            return math.log(values[0])
        case "erf":
            return math.erf(values[0])
        case "√":
            return math.sqrt(values[0])
        case "max":
            return max(values)
        case _:
            raise ValueError(f"no function {name!r}")


def render(node: Node, decimals: int) -> list[Piece]:
    """`node` as text in pieces, operands with `decimals` decimals where they need them."""
    return _joined(_pieces(node, decimals, _SUM, leading=True))


def operands(node: Node) -> Iterator[Operand]:
    """Every operand, in the order of the text."""
    match node:
        case Operand():
            yield node
        case Constant():
            return
        case _:
            for child in _children(node):
                yield from operands(child)


# How tightly a place binds; what binds less is put in parentheses there.
_SUM, _PRODUCT, _FACTOR, _ATOM = range(4)


def _pieces(node: Node, decimals: int, place: int, leading: bool = False) -> Iterator[Piece]:
    """leading: the text starts here, so that a sign needs no parentheses."""
    match node:
        case Operand():
            yield from _operand_pieces(node, decimals, place, leading)
        case Constant():
            yield Piece(node.text)
        case Sum():
            parts = [(term, _SUM if n == 0 else _PRODUCT) for n, term in enumerate(node.terms)]
            yield from _bracketed(parts, " + ", decimals, place > _SUM, leading)
        case Difference():
            parts = [(node.left, _SUM), (node.right, _PRODUCT)]
            yield from _bracketed(parts, " − ", decimals, place > _SUM, leading)
        case Product():
            parts = [(factor, _FACTOR) for factor in node.factors]
            yield from _bracketed(parts, "×", decimals, place > _PRODUCT, leading)
        case Quotient():
            parts = [(node.top, _PRODUCT), (node.bottom, _FACTOR)]
            yield from _bracketed(parts, " ÷ ", decimals, place > _PRODUCT, leading)
        case Square():
            yield from _pieces(node.base, decimals, _ATOM)
            yield Piece("²")
        case Call(name="√"):
            yield Piece("√")
            yield from _pieces(node.arguments[0], decimals, _ATOM)
        case Call():
            yield Piece(f"{node.name}(")
            for number, argument in enumerate(node.arguments):
                yield Piece(", " if number else "")
                yield from _pieces(argument, decimals, _SUM, leading=True)
            yield Piece(")")


def _operand_pieces(node: Operand, decimals: int, place: int, leading: bool) -> Iterator[Piece]:
    shown = _shown(node, decimals)
    bare = shown.atomic or (leading and place < _ATOM)
    yield Piece("" if bare else "(")
    yield Piece(shown.text, node.ref)
    yield Piece("" if bare else ")")


def _bracketed(
    parts: list[tuple[Node, int]], sign: str, decimals: int, brackets: bool, leading: bool
) -> Iterator[Piece]:
    yield Piece("(" if brackets else "")
    for number, (part, place) in enumerate(parts):
        yield Piece(sign if number else "")
        yield from _pieces(part, decimals, place, (leading or brackets) and number == 0)
    yield Piece(")" if brackets else "")


def _joined(pieces: Iterator[Piece]) -> list[Piece]:
    """Neighbouring pieces of plain text as one, empty ones left out."""
    joined: list[Piece] = []
    for piece in pieces:
        if piece.ref is None and joined and joined[-1].ref is None:
            joined[-1] = Piece(joined[-1].text + piece.text)
        elif piece.text:
            joined.append(piece)
    return joined


def _shown(operand: Operand, decimals: int) -> Shown:
    return operand_text(operand.value, decimals, operand.single)


def _children(node: Node) -> tuple[Node, ...]:
    match node:
        case Sum():
            return node.terms
        case Product():
            return node.factors
        case Difference():
            return (node.left, node.right)
        case Quotient():
            return (node.top, node.bottom)
        case Square():
            return (node.base,)
        case Call():
            return node.arguments
        case _:
            return ()
