"""Workings of attention: Q, K, V, scores, mask, the weighted sum, the joined heads."""

from __future__ import annotations

import math

import numpy as np

from model.values import Placed
from model.working.equations import Equation, Note, dot, equation, gated, linear
from model.working.expression import Call, Constant, Node, Operand, Quotient, Sum
from model.working.formula import Floats, Pass
from model.working.recipe import Recipe
from model.working.source import Source

_QKV = ("query", "key", "value")


def projected(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """One channel of Q, K or V: a row of W_Q, W_K or W_V times the normalised vector (ln1)."""
    block, _, name = key.rpartition(".")
    head, position, channel = cell
    row = (
        _QKV.index(name) * source.config.model_dim + head * source.config.head_size + channel
    )  # the rows of Q come first, then K's, then V's, each head by head
    node = linear(source, f"{block}.attention.qkv.weight", row, (f"{block}.ln1", position))
    return [equation(source, key, cell, node)]


def products(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The dot product of one position's query and another position's key."""
    block = key.removesuffix(".scores.products")
    head, looking, seen = cell
    pairs: list[tuple[Operand, ...]] = [
        (
            source.operand(f"{block}.query", head, looking, channel),
            source.operand(f"{block}.key", head, seen, channel),
        )
        for channel in range(source.config.head_size)
    ]
    return [equation(source, key, cell, dot(pairs))]


def scores(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The dot product divided by √head_size."""
    size = source.config.head_size
    root = Call("√", (Constant(str(size), size),))
    node = Quotient(source.operand(f"{key}.products", *cell), root)
    return [*products(source, f"{key}.products", cell), equation(source, key, cell, node)]


def mask(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """0 for positions that may be seen, minus infinity for later ones."""
    looking, seen = cell
    later = seen > looking
    note = "mask_off" if later and source.array(key)[cell] == 0 else "later" if later else "seen"
    return [equation(source, key, cell, source.operand("causal_mask", *cell), Note(note))]


def masked_scores(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The score plus the mask."""
    score = source.operand(key.replace("masked_scores", "scores"), *cell)
    hidden = source.operand(f"{key}.mask", *cell[1:])
    notes = (Note("later"),) if math.isinf(hidden.value) else ()
    return [equation(source, key, cell, Sum((score, hidden)), *notes)]


def head_outputs(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The sum of the values of all positions, weighted by the attention probabilities."""
    block = key.rpartition(".")[0]
    head, looking, channel = cell
    pairs: list[tuple[Operand, ...]] = []
    thinned = False
    for seen in range(source.sequence):
        share = source.operand(f"{block}.attention_probs", head, looking, seen)
        kept = source.gate(f"{block}.attention_probs.dropout", head, looking, seen)
        value = source.operand(f"{block}.value", head, seen, channel)
        pairs.append((share, value) if kept is None else (share, kept, value))
        thinned = thinned or kept is not None
    node, notes = gated(dot(pairs), source.gate(f"{block}.heads.gate", head, 0, 0))
    thinning = (Note("dropout"),) if thinned else ()
    return [equation(source, key, cell, node, *notes, *thinning)]


def heads_joined(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The concatenated outputs of the heads: a copy."""
    position, channel = cell
    head, within = divmod(channel, source.config.head_size)
    block = key.rpartition(".")[0]
    read = source.operand(f"{block}.head_outputs", head, position, within)
    return [equation(source, key, cell, read, Note("copied", {"head": head + 1}))]


def attention_update(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """A row of W_O times the joined heads."""
    block = key.rpartition(".")[0]
    position, channel = cell
    weight = f"{block}.attention.output.weight"
    total: Node = linear(source, weight, channel, (f"{block}.heads_joined", position))
    node, notes = gated(
        total,
        source.gate(f"{block}.attention_update.dropout", position, channel),
        source.gate(f"{block}.attention.gate"),
    )
    return [equation(source, key, cell, node, *notes)]


def _projected(a_pass: Pass, at: Placed) -> Floats:
    """[H, T, D]: the channels of one third of the linear layer, head by head."""
    config = a_pass.config
    part = np.split(a_pass.linear(at), len(_QKV), axis=-1)[_QKV.index(at.value.name)]
    return part.reshape(len(part), config.num_heads, config.head_size).transpose(1, 0, 2)


def _products(a_pass: Pass, at: Placed) -> Floats:
    queries, keys = a_pass.read(at)
    return a_pass.product(queries, keys.transpose(0, 2, 1))


def _scores(a_pass: Pass, at: Placed) -> Floats:
    (found,) = a_pass.read(at)
    return a_pass.rounding.own(found / math.sqrt(a_pass.config.head_size))


def _mask(a_pass: Pass, _: Placed) -> Floats:
    return a_pass.gates["causal_mask"]


def _masked(a_pass: Pass, at: Placed) -> Floats:
    found, hidden = a_pass.read(at)
    return np.asarray(found + hidden)


def _outputs(a_pass: Pass, at: Placed) -> Floats:
    shares, values = a_pass.read(at)
    kept = shares * a_pass.gate(at, "attention_probs.dropout")
    return a_pass.rounding.own(a_pass.product(kept, values) * a_pass.gate(at, "heads.gate"))


def _joined(a_pass: Pass, at: Placed) -> Floats:
    (outputs,) = a_pass.read(at)
    return outputs.transpose(1, 0, 2).reshape(outputs.shape[1], -1)


def _update(a_pass: Pass, at: Placed) -> Floats:
    kept = a_pass.gate(at, "attention_update.dropout") * a_pass.gate(at, "attention.gate")
    return a_pass.rounding.own(a_pass.linear(at) * kept)


RECIPES = {
    **{name: Recipe(_projected, projected) for name in _QKV},
    "products": Recipe(_products, products),
    "scores": Recipe(_scores, scores),
    "mask": Recipe(_mask, mask),
    "masked_scores": Recipe(_masked, masked_scores),
    "head_outputs": Recipe(_outputs, head_outputs),
    "heads_joined": Recipe(_joined, heads_joined),
    "attention_update": Recipe(_update, attention_update),
}
