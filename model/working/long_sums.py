"""Long sums made readable: zero terms are left out, most terms of a very long one are folded into
their subtotal, the rest is added up in parts."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

from model.working.equations import Equation, Note
from model.working.expression import (
    Difference,
    Node,
    Operand,
    Product,
    Quotient,
    Ref,
    Square,
    Sum,
    evaluate,
)

REST = "rest"  # the key of a subtotal whose terms are not written
PARTIAL = "partial"  # the key of a partial sum: its cell is its number on the card
_REST_FROM = 25  # a sum of so many terms shows the first, the last and the largest
_LARGEST = 3
_FOLDED_FROM = 6  # a sum of fewer terms shows its zeros
_WHOLE_UP_TO = 10
_PART = 8


def fold_zeros(line: Equation) -> Equation:
    """`line` without the zero products of a long sum, with a note of how many there were."""
    found = _find_sum(line.node)
    if found is None or len(found.terms) < _FOLDED_FROM:
        return line
    products = [term for term in found.terms if isinstance(term, Product)]
    zero = [product for product in products if evaluate(product) == 0]
    left_out = zero[1:] if len(zero) == len(products) else zero  # one product always stays
    folded = len(left_out)
    if folded == 0:
        return line
    note = Note("zero_terms", {"count": folded})
    kept = tuple(term for term in found.terms if not any(term is zero for zero in left_out))
    node = _with_sum(line.node, Sum(kept))
    return replace(line, node=node, notes=(*line.notes, note))


def fold_rest(line: Equation) -> Equation:
    """`line` with most terms of a very long sum as their subtotal, and a note of how many.

    The first term, the last one, a bias and the largest are written, and the subtotal after them.
    """
    found = _find_sum(line.node)
    if found is None or len(found.terms) < _REST_FROM:
        return line
    terms = found.terms
    written = {0, len(terms) - 1}
    if isinstance(terms[0], Product) and not isinstance(terms[-1], Product):
        written.add(len(terms) - 2)  # the last product, before the bias
    sizes = {place: abs(evaluate(term)) for place, term in enumerate(terms)}
    others = [place for place in sizes if place not in written]
    written.update(sorted(others, key=lambda place: -sizes[place])[:_LARGEST])
    rest = [term for place, term in enumerate(terms) if place not in written]
    subtotal = Operand(math.fsum(evaluate(term) for term in rest), Ref(REST, ()))
    kept = (*(terms[place] for place in sorted(written)), subtotal)
    note = Note("rest_terms", {"count": len(rest)})
    return replace(line, node=_with_sum(line.node, Sum(kept)), notes=(*line.notes, note))


def in_parts(line: Equation, first: int) -> list[Equation]:
    """`line`, preceded by its partial sums if it is long. first: the next part's number."""
    found = _find_sum(line.node)
    if found is None or len(found.terms) <= _WHOLE_UP_TO:
        return [line]
    parts = [_partial(terms, first + number) for number, terms in enumerate(_dealt(found.terms))]
    heads = Sum(tuple(Operand(part.value, part.target) for part in parts))
    shorter = replace(line, node=_with_sum(line.node, heads))
    return [*parts, *in_parts(shorter, first + len(parts))]


def _partial(terms: tuple[Node, ...], number: int) -> Equation:
    value = math.fsum(evaluate(term) for term in terms)
    return Equation(PARTIAL, Ref(PARTIAL, (number,)), Sum(terms), value)


def _dealt(terms: tuple[Node, ...]) -> list[tuple[Node, ...]]:
    """The terms in parts of nearly equal length, none longer than `_PART`."""
    count = math.ceil(len(terms) / _PART)
    bounds = [round(len(terms) * part / count) for part in range(count + 1)]
    return [terms[start:end] for start, end in itertools.pairwise(bounds)]


def _find_sum(node: Node) -> Sum | None:
    """The outermost sum."""
    match node:
        case Sum():
            return node
        case Quotient():
            return _find_sum(node.top)
        case Product():
            return next(filter(None, map(_find_sum, node.factors)), None)
        case _:
            return None


def _with_sum(node: Node, total: Sum) -> Node:
    """`node` with `total` in place of its outermost sum."""
    match node:
        case Quotient():
            return Quotient(_with_sum(node.top, total), node.bottom)
        case Product():
            return Product(tuple(_with_sum(factor, total) for factor in node.factors))
        case Operand() | Square() | Difference():
            return node
        case Sum():
            return total
        case _:
            return node
