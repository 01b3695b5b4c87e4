"""A working's expression as a spreadsheet formula: cells instead of its numbers."""

from __future__ import annotations

from collections.abc import Callable

from model.working.expression import (
    Constant,
    Difference,
    Node,
    Operand,
    Product,
    Quotient,
    Ref,
    Sum,
)


def as_formula(node: Node, cell: Callable[[Ref], str]) -> str:
    """`node` with the cell of each operand; every part but the outermost in parentheses.

    Raises:
        TypeError: the expression calls a function; such a value needs a formula of its own.
    """
    match node:
        case Operand():
            return cell(node.ref)
        case Constant():
            return repr(node.value)
        case Sum(terms=parts):
            sign = "+"
        case Product(factors=parts):
            sign = "*"
        case Difference(left=left, right=right):
            sign, parts = "-", (left, right)
        case Quotient(top=left, bottom=right):
            sign, parts = "/", (left, right)
        case _:
            raise TypeError(f"{type(node).__name__} has no formula in a spreadsheet")
    return sign.join(_part(part, cell) for part in parts)


def _part(node: Node, cell: Callable[[Ref], str]) -> str:
    text = as_formula(node, cell)
    return text if isinstance(node, (Operand, Constant)) else f"({text})"
