"""Arithmetic as an expression tree: shown with some decimals, and evaluated with exactly those.

A tree is built from operands that hold the cell they come from. `render` writes it as text;
`evaluate` computes it from the digits that `render` shows, and with `evaluate_exactly` a card
decides whether the two sides of a line are equal or one is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from model.working.numbers import Shown


@dataclass(frozen=True)
class Ref:
    """A cell: of a trace value, of a derived value, of a weight, or `line` (n,) of this card."""

    key: str
    cell: tuple[int, ...]


@dataclass(frozen=True)
class Operand:
    """A number, and the cell it comes from.

    engine: the engine's value, in float32; None if engines do not output it.
    """

    value: float
    ref: Ref
    engine: float | None = None


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


def full_value(operand: Operand) -> float:
    """An operand's value in full."""
    return operand.value


@dataclass(frozen=True)
class Piece:
    """A piece of the text; an operand's has the cell it comes from."""

    text: str
    ref: Ref | None = None


def evaluate(node: Node, read: Callable[[Operand], float] = full_value) -> float:
    """The value of `node`; `read` gives an operand's value: in full, or as its text shows it."""
    match node:
        case Operand():
            return read(node)
        case Constant():
            return node.value
        case Sum():
            return math.fsum(evaluate(term, read) for term in node.terms)
        case Difference():
            return evaluate(node.left, read) - evaluate(node.right, read)
        case Product():
            return math.prod(evaluate(factor, read) for factor in node.factors)
        case Quotient():
            return evaluate(node.top, read) / evaluate(node.bottom, read)
        case Square():
            return evaluate(node.base, read) ** 2
        case Call():
            return _call(node.name, [evaluate(argument, read) for argument in node.arguments])


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


def evaluate_exactly(node: Node, read: Callable[[Operand], Decimal]) -> Fraction | None:
    """The value of `node` without any rounding; None if it is not a fraction.

    It is none for ∞, most roots, and exp, ln and erf except at the points of `_WHOLE`.
    """
    match node:
        case Operand():
            number = read(node)
            return Fraction(number) if number.is_finite() else None
        case Constant():
            return Fraction(repr(node.value))
        case Call():
            if node.name == "exp" and evaluate(node.arguments[0]) == -math.inf:
                return Fraction(0)
            return _call_exactly(
                node.name, [evaluate_exactly(argument, read) for argument in node.arguments]
            )
        case _:
            parts = [evaluate_exactly(child, read) for child in _children(node)]
            known = [part for part in parts if part is not None]
            return _combined(node, known) if len(known) == len(parts) else None


def _combined(node: Node, parts: list[Fraction]) -> Fraction | None:
    match node:
        case Sum():
            return sum(parts, Fraction(0))
        case Product():
            return math.prod(parts, start=Fraction(1))
        case Difference():
            return parts[0] - parts[1]
        case Quotient():
            return parts[0] / parts[1] if parts[1] else None
        case Square():
            return parts[0] * parts[0]
        case _:
            return None


_WHOLE = {"exp": (0, 1), "ln": (1, 0), "erf": (0, 0)}  # argument, value: both whole


def _call_exactly(name: str, arguments: list[Fraction | None]) -> Fraction | None:
    known = [argument for argument in arguments if argument is not None]
    if len(known) < len(arguments):
        return None
    if name == "max":
        return max(known)
    if name == "√":
        root = Fraction(math.isqrt(known[0].numerator), math.isqrt(known[0].denominator))
        return root if root * root == known[0] else None
    place, value = _WHOLE[name]
    return Fraction(value) if known[0] == place else None


def render(node: Node, write: Callable[[float], Shown]) -> list[Piece]:
    """`node` as text in pieces; `write` formats a number."""
    return _joined(_pieces(node, write, _SUM, leading=True))


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


# The precedence of a place; an expression of lower precedence gets parentheses there.
_SUM, _PRODUCT, _FACTOR, _ATOM = range(4)


def _pieces(
    node: Node, write: Callable[[float], Shown], place: int, leading: bool = False
) -> Iterator[Piece]:
    """leading: the text starts here, so a sign needs no parentheses."""
    match node:
        case Operand():
            yield from _operand_pieces(node, write, place, leading)
        case Constant():
            yield Piece(node.text)
        case Sum():
            parts = [(term, _SUM if n == 0 else _PRODUCT) for n, term in enumerate(node.terms)]
            yield from _bracketed(parts, " + ", write, place > _SUM, leading)
        case Difference():
            parts = [(node.left, _SUM), (node.right, _PRODUCT)]
            yield from _bracketed(parts, " − ", write, place > _SUM, leading)
        case Product():
            parts = [(factor, _FACTOR) for factor in node.factors]
            yield from _bracketed(parts, "×", write, place > _PRODUCT, leading)
        case Quotient():
            parts = [(node.top, _PRODUCT), (node.bottom, _FACTOR)]
            yield from _bracketed(parts, " ÷ ", write, place > _PRODUCT, leading)
        case Square():
            yield from _pieces(node.base, write, _ATOM)
            yield Piece("²")
        case Call(name="√"):
            yield Piece("√")
            yield from _pieces(node.arguments[0], write, _ATOM)
        case Call():
            yield Piece(f"{node.name}(")
            for number, argument in enumerate(node.arguments):
                yield Piece(", " if number else "")
                yield from _pieces(argument, write, _SUM, leading=True)
            yield Piece(")")


def _operand_pieces(
    node: Operand, write: Callable[[float], Shown], place: int, leading: bool
) -> Iterator[Piece]:
    shown = write(node.value)
    bare = shown.atomic or (leading and place < _ATOM)
    yield Piece("" if bare else "(")
    yield Piece(shown.text, node.ref)
    yield Piece("" if bare else ")")


def _bracketed(
    parts: list[tuple[Node, int]],
    sign: str,
    write: Callable[[float], Shown],
    brackets: bool,
    leading: bool,
) -> Iterator[Piece]:
    yield Piece("(" if brackets else "")
    for number, (part, place) in enumerate(parts):
        yield Piece(sign if number else "")
        yield from _pieces(part, write, place, (leading or brackets) and number == 0)
    yield Piece(")" if brackets else "")


def _joined(pieces: Iterator[Piece]) -> list[Piece]:
    """The pieces with neighbouring plain text merged and empty ones left out."""
    joined: list[Piece] = []
    for piece in pieces:
        if piece.ref is None and joined and joined[-1].ref is None:
            joined[-1] = Piece(joined[-1].text + piece.text)
        elif piece.text:
            joined.append(piece)
    return joined


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
