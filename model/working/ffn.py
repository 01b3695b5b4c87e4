"""Workings of the feed-forward network: W1, GELU, W2."""

from __future__ import annotations

import math

import numpy as np

from model.values import Placed
from model.working.equations import Equation, Note, equation, gated, linear
from model.working.expression import Call, Constant, Product, Quotient, Sum
from model.working.formula import Floats, Pass
from model.working.recipe import Recipe
from model.working.source import Source

_HALF, _ONE, _TWO = Constant("0.5", 0.5), Constant("1", 1.0), Constant("2", 2.0)


def ffn_hidden(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """A row of W1 times the normalised vector (ln2), plus its bias."""
    block = key.rpartition(".")[0]
    position, unit = cell
    layer = f"{block}.ffn.0"
    node = linear(source, f"{layer}.weight", unit, (f"{block}.ln2", position), f"{layer}.bias")
    return [equation(source, key, cell, node)]


def phi(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """Φ: the cumulative standard normal distribution at the value."""
    read = source.operand(key.replace("ffn_activation.phi", "ffn_hidden"), *cell)
    spread = Call("erf", (Quotient(read, Call("√", (_TWO,))),))
    return [equation(source, key, cell, Product((_HALF, Sum((_ONE, spread)))), Note("phi"))]


def ffn_activation(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """GELU (Hendrycks and Gimpel 2016): x times Φ(x)."""
    read = source.operand(key.replace("ffn_activation", "ffn_hidden"), *cell)
    node = Product((read, source.operand(f"{key}.phi", *cell)))
    return [*phi(source, f"{key}.phi", cell), equation(source, key, cell, node)]


def ffn_update(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """A row of W2 times the activations, plus its bias."""
    block = key.rpartition(".")[0]
    position, channel = cell
    layer = f"{block}.ffn.2"
    inputs = (f"{block}.ffn_activation", position)
    total = linear(source, f"{layer}.weight", channel, inputs, f"{layer}.bias")
    node, notes = gated(
        total,
        source.gate(f"{block}.ffn_update.dropout", position, channel),
        source.gate(f"{block}.ffn.gate"),
    )
    return [equation(source, key, cell, node, *notes)]


def _phi(a_pass: Pass, at: Placed) -> Floats:
    (hidden,) = a_pass.read(at)
    below = [0.5 * (1 + math.erf(value / math.sqrt(2))) for value in hidden.flat]
    return a_pass.rounding.settled(np.array(below).reshape(hidden.shape), 1.0)


def _gelu(a_pass: Pass, at: Placed) -> Floats:
    hidden, below = a_pass.read(at)
    return a_pass.rounding.own(hidden * below)


def _update(a_pass: Pass, at: Placed) -> Floats:
    kept = a_pass.gate(at, "ffn_update.dropout") * a_pass.gate(at, "ffn.gate")
    return a_pass.rounding.own(a_pass.linear(at) * kept)


RECIPES = {
    "ffn_hidden": Recipe(Pass.linear, ffn_hidden),
    "phi": Recipe(_phi, phi),
    "ffn_activation": Recipe(_gelu, ffn_activation),
    "ffn_update": Recipe(_update, ffn_update),
}
