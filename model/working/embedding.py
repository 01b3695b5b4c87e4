"""Workings of the embeddings: table rows, and their sum."""

from __future__ import annotations

from model.values import Placed
from model.working.equations import Equation, Note, equation, gated
from model.working.expression import Sum
from model.working.formula import Floats, Pass
from model.working.recipe import Recipe
from model.working.source import Source


def token_embeddings(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """Row `id` of the token table."""
    position, channel = cell
    token_id = source.token_ids[position]
    operand = source.operand("token_embedding.weight", token_id, channel)
    return [equation(source, key, cell, operand, Note("token_row", {"word": token_id}))]


def position_embeddings(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """Row `position` of the position table."""
    operand = source.operand("position_embedding.weight", *cell)
    node, notes = gated(operand, source.gate("position_embedding.gate"))
    return [equation(source, key, cell, node, Note("position_row", {"position": cell[0]}), *notes)]


def residual_0(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """Token embedding plus position embedding."""
    word, place = (
        source.operand(name, *cell) for name in ("token_embeddings", "position_embeddings")
    )
    return [equation(source, key, cell, Sum((word, place)))]


def parameter(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """A weight or a gate: given, not computed from the prompt."""
    note = Note("parameter" if source.kind(key) == "weight" else "gate")
    return [equation(source, key, cell, source.operand(key, *cell), note)]


def _token_rows(a_pass: Pass, at: Placed) -> Floats:
    return a_pass.weights[at.weights[0]][list(a_pass.token_ids)]


def _position_rows(a_pass: Pass, at: Placed) -> Floats:
    rows = a_pass.weights[at.weights[0]][: len(a_pass.token_ids)]
    return a_pass.rounding.own(rows * a_pass.gates["position_embedding.gate"])


def _sum(a_pass: Pass, at: Placed) -> Floats:
    return a_pass.added(*a_pass.read(at))


RECIPES = {
    "token_embeddings": Recipe(_token_rows, token_embeddings),
    "position_embeddings": Recipe(_position_rows, position_embeddings),
    "residual_0": Recipe(_sum, residual_0),
}
