"""A faultless student who rounds as the worksheet says reaches every number of the solution."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
import pytest

from model.answers import judge
from model.answers.reading import Answer
from model.config import LAYER_NORM_EPS
from model.working import CHOICE
from tests.model.working.networks import every_prompt
from ui.panels.worksheet import worksheet
from ui.requests import read_prompt
from ui.sources import source_of

Row = list[float]
TRAINED = ((0,), (4, 1), (0, 1, 2), (3, 1, 4, 1, 0, 2, 2, 4))


class Student:
    """Works the sheet out from what is printed on it, with `decimals` of every number.

    Knows the network from the lesson alone: nothing here is the product's.
    """

    def __init__(self, told: dict[str, Any], tokens: tuple[int, ...], decimals: int) -> None:
        self.decimals = decimals
        self.last = len(tokens) - 1
        self.token = tokens[-1]
        self.shifted = told["shifted"]
        self.weights = {key: self.printed(np.array(v)) for key, v in told["weights"].items()}
        self.sheet = {
            key: self.printed(np.array(values, dtype=float))  # null is minus infinity
            for stop in told["stages"]
            for key, values in stop["values"].items()
        }
        self.blanks = {k: np.array(v) for stop in told["stages"] for k, v in stop["blanks"].items()}
        for key, blank in self.blanks.items():  # nothing is known of them
            self.sheet[key] = np.where(blank, math.nan, self.sheet[key])

    def printed(self, values: Any) -> Any:
        return np.vectorize(self.round)(values)

    def round(self, value: float) -> float:
        if not math.isfinite(value):
            return value
        step = Decimal(1).scaleb(-self.decimals)
        return float(Decimal(repr(float(value))).quantize(step, rounding=ROUND_HALF_UP))

    def dot(self, left: Any, right: Any, bias: float = 0.0) -> float:
        return self.round(sum(self.round(a * b) for a, b in zip(left, right, strict=True)) + bias)

    def write(self, key: str, row: Row | float) -> Any:
        """Into the blanks of the last position."""
        here = self.sheet[key]
        here[self.last if here.ndim < 3 else (slice(None), self.last)] = row
        return row

    def norm(self, owner: str, name: str, row: Row) -> Row:
        mean = self.write(f"{owner}.mean", self.round(sum(row) / len(row)))
        deviation = self.write(f"{owner}.deviation", [self.round(x - mean) for x in row])
        squares = [self.round(x * x) for x in deviation]
        variance = self.write(f"{owner}.variance", self.round(sum(squares) / len(row)))
        std = self.write(f"{owner}.std", self.round(math.sqrt(variance + LAYER_NORM_EPS)))
        normalized = self.write(f"{owner}.normalized", [self.round(x / std) for x in deviation])
        gain, shift = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        rows = zip(normalized, gain, shift, strict=True)
        return list(self.write(owner, [self.round(self.round(x * g) + s) for x, g, s in rows]))

    def linear(self, weight: str, row: Row, bias: str | None = None) -> Row:
        matrix = self.weights[weight]
        shift = self.weights[bias] if bias else [0.0] * len(matrix)
        return [self.dot(each, row, b) for each, b in zip(matrix, shift, strict=True)]

    def softmax(self, key: str, scores: Row) -> tuple[Row, float, Row]:
        most = max(scores) if f"{key}.exponentials" in self.shifted else 0.0
        exponentials = [self.round(math.exp(self.round(x - most))) for x in scores]
        total = self.round(sum(exponentials))
        return exponentials, total, [self.round(x / total) for x in exponentials]

    def attention(self, block: str, row: Row, heads: int) -> Row:
        parts = np.array(self.linear(f"{block}.attention.qkv.weight", row)).reshape(3, heads, -1)
        for name, part in zip(("query", "key", "value"), parts, strict=True):
            self.write(f"{block}.{name}", part.tolist())
        root = self.round(math.sqrt(parts.shape[-1]))
        found: dict[str, list[Any]] = {}
        for head in range(heads):
            keys, values = self.sheet[f"{block}.key"][head], self.sheet[f"{block}.value"][head]
            products = [self.dot(parts[0, head], seen) for seen in keys]
            scores = [self.round(x / root) for x in products]
            exponentials, total, shares = self.softmax(f"{block}.attention_probs", scores)
            made = {
                "scores.products": products,
                "scores": scores,
                "masked_scores": scores,
                "attention_probs.exponentials": exponentials,
                "attention_probs.sum": total,
                "attention_probs": shares,
                "head_outputs": [self.dot(shares, column) for column in values.T],
            }
            for name, row_ in made.items():
                found.setdefault(name, []).append(row_)
        self.sheet[f"{block}.attention_probs.sum"][:, self.last] = found.pop("attention_probs.sum")
        for name, rows in found.items():
            self.write(f"{block}.{name}", rows)
        joined = self.write(
            f"{block}.heads_joined", [x for each in found["head_outputs"] for x in each]
        )
        update = self.linear(f"{block}.attention.output.weight", joined)
        return list(self.write(f"{block}.attention_update", update))

    def add(self, key: str, left: Row, right: Row) -> Row:
        return list(self.write(key, [self.round(a + b) for a, b in zip(left, right, strict=True)]))

    def block(self, block: str, residual: Row, heads: int) -> Row:
        normed = self.norm(f"{block}.ln1", f"{block}.ln1", residual)
        update = self.attention(block, normed, heads)
        after = self.add(f"{block}.residual_after_attention", residual, update)
        normed = self.norm(f"{block}.ln2", f"{block}.ln2", after)
        layer = f"{block}.ffn.0"
        hidden = self.write(
            f"{block}.ffn_hidden", self.linear(f"{layer}.weight", normed, f"{layer}.bias")
        )
        phi = self.sheet[f"{block}.ffn_activation.phi"][self.last]  # printed: it was looked up
        bent = self.write(
            f"{block}.ffn_activation",
            [self.round(h * p) for h, p in zip(hidden, phi, strict=True)],
        )
        layer = f"{block}.ffn.2"
        update = self.write(
            f"{block}.ffn_update", self.linear(f"{layer}.weight", bent, f"{layer}.bias")
        )
        return self.add(f"{block}.residual_after_ffn", after, update)

    def work(self, blocks: int, heads: int) -> None:
        """From the word to the choice."""
        token = self.write("token_embeddings", self.weights["token_embedding.weight"][self.token])
        table = self.weights["position_embedding.weight"]
        place = self.write("position_embeddings", table[self.last])
        residual = self.add("residual_0", token, place)
        for index in range(blocks):
            residual = self.block(f"blocks.{index}", residual, heads)
        end = self.norm("final_hidden", "final_norm", residual)
        logits = self.write("logits", self.linear("lm_head.weight", end, "lm_head.bias"))
        exponentials, total, shares = self.softmax("vocabulary_probs", logits)
        self.write("vocabulary_probs.exponentials", exponentials)
        self.write("vocabulary_probs.sum", total)
        self.write("vocabulary_probs", shares)
        self.write(CHOICE, float(np.argmax(shares)))

    def answers(self) -> Iterator[tuple[str, tuple[int, ...], float]]:
        """What stands in each blank now."""
        for key, blank in self.blanks.items():
            for cell in map(tuple, np.argwhere(blank).tolist()):
                yield key, cell, float(self.sheet[key][cell])


def played(request: dict[str, Any], decimals: int | None = None) -> tuple[int, list[str]]:
    """How many blanks there are, and those that the student does not get right."""
    told, source = worksheet(request), source_of(read_prompt(request))
    student = Student(told, source.token_ids, decimals or told["decimals"])
    student.work(source.config.num_layers, source.config.num_heads)
    missed, count = [], 0
    for key, cell, found in student.answers():
        count += 1
        answer = found if key == CHOICE else round(found, 4)
        solution = source.operand(key, *cell).value
        is_there = abs(answer - round(solution, 4)) <= 1.0001e-4
        if judge(source, key, cell, Answer(answer, 4)).grade != "right" or not is_there:
            missed.append(f"{key}{cell}: {found} for {solution}")
    return count, missed


@pytest.mark.long("every worksheet of the lesson's network")
def test_the_digits_the_sheet_says_are_enough_on_every_sheet() -> None:
    blanks = 0
    for token_ids in every_prompt():
        count, missed = played({"tokens": list(token_ids), "lang": "en"})
        assert missed == [], token_ids
        blanks += count
    assert blanks == 4870


@pytest.mark.parametrize("token_ids", [(3,), (0, 1), (4, 1)])
def test_the_digits_the_sheet_says_are_enough(token_ids: tuple[int, ...]) -> None:
    assert played({"tokens": list(token_ids), "lang": "en"})[1] == []


@pytest.mark.parametrize("token_ids", TRAINED)
def test_so_they_are_in_the_learned_network(token_ids: tuple[int, ...]) -> None:
    assert played({"tokens": list(token_ids), "lang": "en", "model": "trained"})[1] == []


def test_four_digits_are_not_enough() -> None:
    """The twin: with the four that are asked for in the end, a faultless student misses some."""
    assert len(played({"tokens": [0, 1], "lang": "en"}, decimals=4)[1]) > 10
