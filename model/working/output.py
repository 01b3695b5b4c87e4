"""Workings of the output: logits, and the choice of the next word."""

from __future__ import annotations

from model.values import CHOICE
from model.working.equations import Equation, Note, equation, linear
from model.working.expression import Call, Ref
from model.working.formula import Pass
from model.working.recipe import Recipe
from model.working.source import Source

_MOST_COMPARED = 8  # of a longer row the largest ones; a note counts the rest


def logits(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """A word's row of W_out times the last hidden state, plus its bias."""
    position, word = cell
    inputs = ("final_hidden", position)
    node = linear(source, "lm_head.weight", word, inputs, "lm_head.bias")
    return [equation(source, key, cell, node)]


def choice(source: Source, key: str, cell: tuple[int, ...]) -> list[Equation]:
    """The most probable word; the line shows its probability, the note names it."""
    row = source.array("vocabulary_probs")[cell[0]]
    word = int(source.array(key)[cell])
    compared = sorted(sorted(range(len(row)), key=lambda each: -row[each])[:_MOST_COMPARED])
    largest = Call("max", tuple(source.operand("vocabulary_probs", *cell, n) for n in compared))
    left_out = len(row) - len(compared)
    rest = (Note("smaller_left_out", {"count": left_out}),) if left_out else ()
    note = Note("chosen", {"word": word})
    return [Equation(key, Ref(key, cell), largest, float(row[word]), (note, *rest))]


RECIPES = {"logits": Recipe(Pass.linear, logits), CHOICE: Recipe(None, choice)}
