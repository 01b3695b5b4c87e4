"""A working's expression as a formula of a spreadsheet."""

from __future__ import annotations

import pytest

from export.pack.worked import as_formula
from model.working.expression import (
    Call,
    Constant,
    Difference,
    Node,
    Operand,
    Product,
    Quotient,
    Ref,
    Sum,
)

A, B = (Operand(value, Ref(name, (0, 1))) for name, value in (("a", 2.0), ("b", -3.0)))


def cell(ref: Ref) -> str:
    return f"{ref.key}!{ref.cell[1]}"


@pytest.mark.parametrize(
    ("node", "formula"),
    [
        (A, "a!1"),
        (Sum((A, B)), "a!1+b!1"),
        (Sum((Product((A, B)), Constant("0.5", 0.5))), "(a!1*b!1)+0.5"),
        (Quotient(Difference(A, B), A), "(a!1-b!1)/a!1"),
    ],
)
def test_operands_are_cells(node: Node, formula: str) -> None:
    assert as_formula(node, cell) == formula


def test_a_function_needs_a_formula_of_its_own() -> None:
    with pytest.raises(TypeError, match="Call"):
        as_formula(Sum((A, Call("exp", (B,)))), cell)
