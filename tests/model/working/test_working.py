"""Every number of the network can be worked out from what its working shows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest

from model.config import MiniGPTConfig
from model.errors import InputError
from model.switches import Switches, switch_names
from model.trace import trace_shapes
from model.working import (
    CHOICE,
    Card,
    Source,
    card,
    derived_keys,
    layer_norm_card,
    steps_of,
    working,
)
from model.working.card import Line
from model.working.long_sums import PARTIAL
from tests.model.working.networks import every_prompt, random_source, teaching_source
from tests.model.working.shown_arithmetic import last_unit, reads, worked_out

TWO_BLOCKS = MiniGPTConfig(5, 8, 4, 2, 2)
WIDE = MiniGPTConfig(12, 8, 16, 4, 1)
CELLS_OF_ALL_PROMPTS = 9955


def every_cell(source: Source) -> Iterator[tuple[str, tuple[int, ...]]]:
    for key in (*trace_shapes(source.config.num_layers), *derived_keys(source.config)):
        yield from ((key, cell) for cell in np.ndindex(*source.array(key).shape))


def check(made: Card, source: Source, decimals: int = 4) -> None:
    """The card's lines work out, and their results are what the engine computed."""
    for line in made.lines:
        assert line.relation == "=", line.text
        assert reads(line.expression, line.result), f"{made.target}: {line.text}"
        check_operands(line, source)
    shown = made.lines[-1].result
    if math.isinf(made.value):
        assert shown == "−∞"
    else:
        assert abs(worked_out(shown) - made.value) <= 0.5 * last_unit(shown) * (1 + 1e-9)
    check_chain(made)


def check_operands(line: Line, source: Source) -> None:
    """An operand's text is the number in the cell it points at, and joined they are the line."""
    for piece in line.pieces:
        if piece.ref is None or piece.ref.key == PARTIAL:
            continue
        value = source.value(piece.ref)
        if math.isinf(value):
            assert worked_out(piece.text) == value
        else:
            unit = last_unit(piece.text)
            slack = 1e-6 * max(1, abs(value))  # a float32 shown by its shortest decimal
            assert abs(worked_out(piece.text) - value) <= 0.5 * unit + slack * (unit >= 1e-4)


def check_chain(made: Card) -> None:
    """What a line results in is, later on the card, the same number with no further digits."""
    results: dict[object, str] = {}
    for line in made.lines:
        for piece in line.pieces:
            if piece.ref in results:
                used, result = piece.text, results[piece.ref]
                assert last_unit(result) <= last_unit(used) * 1.001
                assert abs(worked_out(used) - worked_out(result)) <= 0.51 * last_unit(used)
        results[line.target] = line.result


@pytest.mark.parametrize("engine", ["onnxruntime", "torch"])
def test_every_cell_of_every_stage_for_all_prompts(engine: str) -> None:
    cells = 0
    for token_ids in every_prompt():
        source = teaching_source(token_ids, engine)
        for key, cell in every_cell(source):
            check(card(steps_of(source, key, cell)), source)
            cells += 1
    assert cells == CELLS_OF_ALL_PROMPTS


def test_every_weight_has_a_working() -> None:
    source = teaching_source((0, 1))
    for name, values in source.weights.items():
        for cell in np.ndindex(*values.shape):
            check(card(steps_of(source, name, cell)), source)


def test_a_changed_operand_no_longer_works_out() -> None:
    """The twin of the test above: in every stage, one operand changed is noticed."""
    source = teaching_source((0, 1))
    noticed = set()
    for key, cell in every_cell(source):
        for line in card(steps_of(source, key, cell)).lines:
            if any(not reads(changed, line.result) for changed in one_operand_changed(line)):
                noticed.add(key)
    assert noticed == {*trace_shapes(1), *derived_keys(source.config)}


def one_operand_changed(line: Line) -> Iterator[str]:
    for index, piece in enumerate(line.pieces):
        if piece.ref is not None and "∞" not in piece.text:
            other = f"{abs(worked_out(piece.text)) + 0.01:.4f}"
            texts = [other if n == index else p.text for n, p in enumerate(line.pieces)]
            yield "".join(texts)


def test_a_trace_that_does_not_follow_is_not_shown_as_equal() -> None:
    source = teaching_source((0, 1))
    changed = dict(source.trace)
    changed["blocks.0.value"] = changed["blocks.0.value"] + np.float32(0.001)
    made = working(
        changed, source.weights, source.config, (0, 1), "blocks.0.head_outputs", (0, 1, 0)
    )
    assert (made.lines[-1].relation, made.lines[-1].notes[-1].key) == ("≈", "engine_rounding")
    with pytest.raises(AssertionError):
        check(made, source)


@pytest.mark.parametrize(
    ("config", "token_ids", "scale"),
    [
        (TWO_BLOCKS, (3, 1, 4, 1, 0, 2, 2, 4), 1.0),
        (TWO_BLOCKS, (2,), 1.0),
        (TWO_BLOCKS, (0, 4, 3), 6.0),  # scores in the hundreds: exponentials are relative
        (WIDE, (11, 0, 7, 7, 3), 1.0),  # sums of 64
    ],
)
def test_networks_of_other_sizes(
    config: MiniGPTConfig, token_ids: tuple[int, ...], scale: float
) -> None:
    source = random_source(config, token_ids, scale=scale)
    for key, cell in itertools.islice(every_cell(source), 0, None, 3):
        check(card(steps_of(source, key, cell)), source)


@pytest.mark.parametrize("name", switch_names(TWO_BLOCKS))
def test_switched_off_parts_work_out_too(name: str) -> None:
    source = random_source(TWO_BLOCKS, (3, 1, 4), Switches(frozenset({name})))
    for key, cell in itertools.islice(every_cell(source), 0, None, 2):
        check(card(steps_of(source, key, cell)), source)


def test_dropped_values_work_out_too() -> None:
    source = random_source(TWO_BLOCKS, (3, 1, 4), Switches(dropout=0.3, dropout_seed=1))
    notes = set()
    for key, cell in every_cell(source):
        made = card(steps_of(source, key, cell))
        check(made, source)
        notes |= {note.key for line in made.lines for note in line.notes}
    assert "dropout" in notes


def test_the_lesson_s_line() -> None:
    made = card(steps_of(teaching_source((0, 1)), "blocks.0.head_outputs", (0, 1, 0)))
    assert made.lines[-1].text == "0.1575×(−0.2156) + 0.8425×1.2206 = 0.9944"
    assert [(piece.ref.key, piece.ref.cell) for piece in made.lines[-1].pieces if piece.ref] == [
        ("blocks.0.attention_probs", (0, 1, 0)),
        ("blocks.0.value", (0, 0, 0)),
        ("blocks.0.attention_probs", (0, 1, 1)),
        ("blocks.0.value", (0, 1, 0)),
    ]


def test_the_logit_that_four_decimals_miss() -> None:
    (line,) = card(steps_of(teaching_source((0, 1)), "logits", (1, 3))).lines
    assert line.result == "2.1336"
    (note,) = line.notes
    assert (note.key, note.values["plain"]) == ("digits", "2.1335")


def test_the_choice_names_the_word() -> None:
    (line,) = card(steps_of(teaching_source((0, 1)), CHOICE, (1,))).lines
    assert line.text == "max(0.1742, 0.0037, 0.0124, 0.4835, 0.3261) = 0.4835"
    assert (line.notes[0].key, line.notes[0].values) == ("chosen", {"word": 3})


def test_layer_norm_of_1_2_3_4() -> None:
    made = layer_norm_card()
    assert [line.text for line in made.lines] == [
        "(1 + 2 + 3 + 4) ÷ 4 = 2.500",
        "1 − 2.5 = −1.500",
        "2 − 2.5 = −0.500",
        "3 − 2.5 = 0.500",
        "4 − 2.5 = 1.500",
        "((−1.5)² + (−0.5)² + 0.5² + 1.5²) ÷ 4 = 1.250",
        "√(1.25 + 0.00001) = 1.118",
        "−1.5 ÷ 1.118 = −1.342",
        "−0.5 ÷ 1.118 = −0.447",
        "0.5 ÷ 1.118 = 0.447",
        "1.5 ÷ 1.118 = 1.342",
    ]
    assert all(reads(line.expression, line.result) for line in made.lines)


def test_zero_terms_are_folded_and_counted_or_written_out() -> None:
    source = teaching_source((0, 1))
    steps = steps_of(source, "blocks.0.ffn_update", (1, 0))
    (folded,) = card(steps).lines
    assert folded.text == "0.25×1.1153 + 0 = 0.2788"
    assert (folded.notes[-1].key, folded.notes[-1].values) == ("zero_terms", {"count": 15})
    written = card(steps, fold=False)
    assert sum("×" in line.expression for line in written.lines) > 1
    for line in written.lines:
        assert reads(line.expression, line.result)


def test_long_sums_come_in_parts() -> None:
    made = card(steps_of(random_source(WIDE, (1, 2)), "blocks.0.ffn_update", (1, 0)))
    parts = [line for line in made.lines if line.label == PARTIAL]
    assert len(parts) == 9  # 64 products and a bias, at most 8 a line
    assert made.lines[-1].expression.count("+") == 8


@pytest.mark.parametrize(
    ("key", "cell"),
    [
        ("blocks.0.ln1", (0, 4)),
        ("blocks.0.ln1", (-1, 0)),
        ("blocks.0.ln1", (0,)),
        ("blocks.1.ln1", (0, 0)),
        ("blocks.1.ln1.mean", (0,)),
        ("blocks.0.ln1.median", (0,)),
        ("", ()),
        ("lm_head.weight", (5, 0)),
    ],
)
def test_what_does_not_exist_is_refused(key: str, cell: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        steps_of(teaching_source((0, 1)), key, cell)
