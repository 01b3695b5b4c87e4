"""Every number of the network can be worked out from what its working shows."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
import pytest
import torch

from export.runtimes.onnx_runtime import onnxruntime_runner
from model.config import MiniGPTConfig
from model.errors import InputError
from model.stages import value_axes
from model.switches import Switches, switch_names
from model.teaching import TEACHING_CONFIG, teaching_model
from model.trace import trace_shapes
from model.working import (
    CHOICE,
    Card,
    Source,
    card,
    derived_keys,
    equations_of,
    layer_norm_card,
    source_of_numbers,
    working,
)
from model.working.card import Line
from model.working.equations import Note
from model.working.long_sums import PARTIAL
from tests.model.working.networks import (
    every_source,
    random_source,
    teaching_source,
    torch_trace,
)
from tests.model.working.shown_arithmetic import is_equal, last_unit, reads, worked_out
from ui.shipped_models import shipped_entry

TWO_BLOCKS = MiniGPTConfig(5, 8, 4, 2, 2)
WIDE = MiniGPTConfig(12, 8, 16, 4, 1)
CELLS_OF_ALL_PROMPTS = 9955


def every_cell(source: Source) -> Iterator[tuple[str, tuple[int, ...]]]:
    for key in (*trace_shapes(source.config.num_layers), *derived_keys(source.config)):
        yield from ((key, cell) for cell in np.ndindex(*source.array(key).shape))


def check(made: Card, source: Source, decimals: int = 4) -> None:
    """The card's lines work out, and nothing in them or around them is false."""
    for line in made.lines:
        assert reads(line.expression, line.result, decimals), f"{made.target}: {line.text}"
        equal = is_equal(line.expression, line.result)
        assert line.relation == ("=" if equal else "≈"), line.text
        check_operands(line, source)
    check_result(made, source)
    check_texts(made)
    check_notes(made, source)


def check_operands(line: Line, source: Source) -> None:
    """An operand's text is the number in the cell it points at, and joined they are the line."""
    assert "".join(piece.text for piece in line.pieces) == line.expression
    for piece in line.pieces:
        if piece.ref is None or piece.ref.key == PARTIAL:
            continue
        value = source.operand(piece.ref.key, *piece.ref.cell).value
        if math.isinf(value):
            assert worked_out(piece.text) == value
        else:
            unit = last_unit(piece.text)
            assert abs(worked_out(piece.text) - value) <= 0.5 * unit * (1 + 1e-9)


def check_result(made: Card, source: Source) -> None:
    """The result is the formula's number; rounded to four decimals, it is what a table shows:
    the formula's number for what lies between trace values, else the engine's, or the card
    says what the engine has."""
    shown, (key, cell) = made.lines[-1].result, (made.target.key, made.target.cell)
    if math.isinf(made.value):
        assert shown == "−∞"
        return
    if key == CHOICE:
        return
    value = worked_out(shown)
    assert abs(value - made.value) <= 0.5 * last_unit(shown) * (1 + 1e-9)
    table = float(source.trace[key][cell]) if key in source.trace else made.value
    if abs(rounded(value) - rounded(table)) > 1e-9:
        told = {note.values["formula"]: note.values["engine"] for note in engine_notes(made)}
        assert abs(worked_out(told[shown]) - table) <= 0.5 * last_unit(told[shown]) * (1 + 1e-6)


def rounded(value: float) -> float:
    """To the four decimals of a table, halves away from zero."""
    return float(Decimal(repr(value)).quantize(Decimal("0.0001"), rounding=ROUND_HALF_UP))


def check_texts(made: Card) -> None:
    """A number of a card is written in one way, wherever it stands."""
    texts: dict[object, str] = {}
    for line in made.lines:
        for ref, text in (
            *((piece.ref, piece.text) for piece in line.pieces if piece.ref is not None),
            (line.target, line.result),
        ):
            assert texts.setdefault(ref, text) == text, made.lines
            assert ref is not None


def check_notes(made: Card, source: Source) -> None:
    """What the notes say of digits and of the engine is so."""
    for line in made.lines:
        for note in line.notes:
            if note.key == "digits":
                check_digits_note(line, note.values, source)
    numbers = {
        shown: source.operand(ref.key, *ref.cell)
        for line in made.lines
        for ref, shown in (
            *((piece.ref, piece.text) for piece in line.pieces if piece.ref is not None),
            (line.target, line.result),
        )
        if ref.key in source.trace
    }
    for note in engine_notes(made):
        number = numbers[note.values["formula"]]
        assert number.engine is not None
        unit = last_unit(note.values["engine"])
        assert abs(worked_out(note.values["engine"]) - number.engine) <= 0.5 * unit * (1 + 1e-6)
        assert worked_out(note.values["engine"]) != worked_out(note.values["formula"])


def check_digits_note(line: Line, said: Mapping[str, Any], source: Source) -> None:
    """From operands of four decimals one gets what the note says, and that is not right."""
    texts = []
    for piece in line.pieces:
        shown = piece.text
        if piece.ref is not None and piece.ref.key != PARTIAL:
            value = source.operand(piece.ref.key, *piece.ref.cell).value
            if abs(value) >= 0.5e-4 and math.isfinite(value):
                text = f"{abs(Decimal(str(rounded(value)))):f}"
                shown = f"(−{text})" if value < 0 else text
        elif piece.ref is None and re.fullmatch(r"−?[\d.]+", shown):  # the subtotal of a rest
            shown = f"{Decimal(str(rounded(float(shown.replace('−', '-'))))):f}".replace("-", "−")
        texts.append(shown)
    if all(piece.ref is None or piece.ref.key != PARTIAL for piece in line.pieces):
        unit = last_unit(said["plain"]) if "." in said["plain"] else 1e-4
        assert abs(worked_out("".join(texts)) - worked_out(said["plain"])) <= 0.5 * unit + 1e-9
    right = worked_out(said["result"])
    assert abs(worked_out(said["plain"]) - right) > 0.4 * min(last_unit(said["result"]), 1e-4)
    assert abs(worked_out(line.result) - right) <= 0.5 * min(last_unit(said["result"]), 1e-4) + 1e-9


def engine_notes(made: Card) -> list[Note]:
    return [note for line in made.lines for note in line.notes if note.key == "engine_rounding"]


@pytest.mark.long("every cell of all 30 prompts in both engines: 19,910 cards")
@pytest.mark.parametrize("engine", ["onnxruntime", "torch"])
def test_every_cell_of_every_stage_for_all_prompts(engine: str) -> None:
    cells = 0
    for source in every_source(engine):
        for key, cell in every_cell(source):
            check(card(equations_of(source, key, cell)), source)
            cells += 1
    assert cells == CELLS_OF_ALL_PROMPTS


@pytest.mark.parametrize("engine", ["onnxruntime", "torch"])
def test_cells_of_every_stage(engine: str) -> None:
    """Its fast sister: six or seven cells of every value."""
    places: dict[str, list[tuple[Source, tuple[int, ...]]]] = {}
    for source in every_source(engine):
        for key, cell in every_cell(source):
            places.setdefault(key, []).append((source, cell))
    assert set(places) == {*trace_shapes(1), *derived_keys(TEACHING_CONFIG)}
    for key, cells in places.items():
        for source, cell in cells[:: len(cells) // 6]:
            check(card(equations_of(source, key, cell)), source)


def test_the_numbers_are_the_formula_s() -> None:
    """In all cells of all prompts: what torch gives in float64 from the lesson's decimals."""
    model = teaching_model(torch.float64)
    for source in every_source("onnxruntime"):
        for key, values in torch_trace(model, source.token_ids).items():
            np.testing.assert_allclose(source.array(key), values, rtol=1e-12, atol=2e-13)


@pytest.mark.parametrize("name", ["", *switch_names(TWO_BLOCKS), "dropout"])
def test_the_formula_knows_the_switches(name: str) -> None:
    if name == "dropout":
        switches = Switches(dropout=0.3, dropout_seed=1)
    else:
        switches = Switches(frozenset({name} - {""}))
    source = random_source(TWO_BLOCKS, (3, 1, 4), switches)
    for key, values in source.trace.items():
        np.testing.assert_allclose(source.array(key), values, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("engine", ["onnxruntime", "torch"])
def test_what_is_zero_is_not_called_a_rounding_mistake(engine: str) -> None:
    """我 喜欢, LN2, 我, channel 3: 0.3 − 0.3, of which float32 leaves 0.0000001."""
    made = card(equations_of(teaching_source((0, 1), engine), "blocks.0.ln2", (0, 3)))
    by_label = {line.label: line for line in made.lines}
    assert [by_label[name].text for name in ("mean", "normalized", "ln2")] == [
        "(0.0344 + (−1.2939) + 2.1595 + 0.3) ÷ 4 = 0.3",
        "0 ÷ 1.2318 = 0",
        "1×0 + 0 = 0",
    ]
    assert made.lines[4].text == "0.3 − 0.3 = 0"
    assert not any(line.notes for line in made.lines)


def test_an_engine_s_rounding_is_said_to_be_that() -> None:
    """学习, final_hidden[0, 0]: −1.0054 is right, and ONNX Runtime shows −1.0053."""
    source = teaching_source((3,))
    assert f"{source.trace['final_hidden'][0, 0]:.4f}" == "-1.0053"
    made = card(equations_of(source, "final_hidden", (0, 0)))
    assert worked_out(made.lines[-1].result) == pytest.approx(-1.0054, abs=0.00005)
    (note,) = [note for note in made.lines[-1].notes if note.key == "engine_rounding"]
    assert note.values["engine"].startswith("−1.0053")


def test_every_weight_has_a_working() -> None:
    source = teaching_source((0, 1))
    for name, values in source.weights.items():
        for cell in np.ndindex(*values.shape):
            check(card(equations_of(source, name, cell)), source)


def test_a_changed_operand_no_longer_works_out() -> None:
    """The twin of the test above: in every stage, one operand changed is noticed."""
    source = teaching_source((0, 1))
    noticed = set()
    for key, cell in every_cell(source):
        for line in card(equations_of(source, key, cell)).lines:
            if any(not reads(changed, line.result) for changed in one_operand_changed(line)):
                noticed.add(key)
    assert noticed == {*trace_shapes(1), *derived_keys(source.config)}


def one_operand_changed(line: Line) -> Iterator[str]:
    for index, piece in enumerate(line.pieces):
        if piece.ref is not None and "∞" not in piece.text:
            other = f"{abs(worked_out(piece.text)) + 0.01:.4f}"
            texts = [other if n == index else p.text for n, p in enumerate(line.pieces)]
            yield "".join(texts)


def test_a_trace_that_does_not_follow_is_told() -> None:
    source = teaching_source((0, 1))
    changed = dict(source.trace)
    changed["blocks.0.head_outputs"] = changed["blocks.0.head_outputs"] + np.float32(0.001)
    made = working(
        changed, source.weights, source.config, (0, 1), "blocks.0.head_outputs", (0, 1, 0)
    )
    (note,) = made.lines[-1].notes
    assert note.values == {"formula": "0.9944", "engine": "0.9954"}


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
        check(card(equations_of(source, key, cell)), source)


@pytest.mark.parametrize("name", switch_names(TWO_BLOCKS))
def test_switched_off_parts_work_out_too(name: str) -> None:
    source = random_source(TWO_BLOCKS, (3, 1, 4), Switches(frozenset({name})))
    for key, cell in itertools.islice(every_cell(source), 0, None, 2):
        check(card(equations_of(source, key, cell)), source)


def test_dropped_values_work_out_too() -> None:
    source = random_source(TWO_BLOCKS, (3, 1, 4), Switches(dropout=0.3, dropout_seed=1))
    notes = set()
    for key, cell in every_cell(source):
        made = card(equations_of(source, key, cell))
        check(made, source)
        notes |= {note.key for line in made.lines for note in line.notes}
    assert "dropout" in notes


def test_the_lesson_s_line() -> None:
    made = card(equations_of(teaching_source((0, 1)), "blocks.0.head_outputs", (0, 1, 0)))
    assert made.lines[-1].text == "0.1575×(−0.2156) + 0.8425×1.2206 ≈ 0.9944"
    assert [(piece.ref.key, piece.ref.cell) for piece in made.lines[-1].pieces if piece.ref] == [
        ("blocks.0.attention_probs", (0, 1, 0)),
        ("blocks.0.value", (0, 0, 0)),
        ("blocks.0.attention_probs", (0, 1, 1)),
        ("blocks.0.value", (0, 1, 0)),
    ]


def test_the_logit_that_four_decimals_miss() -> None:
    (line,) = card(equations_of(teaching_source((0, 1)), "logits", (1, 3))).lines
    assert line.result == "2.1336"
    note = line.notes[0]
    assert (note.key, note.values["plain"]) == ("digits", "2.1335")


def test_the_choice_names_the_word() -> None:
    (line,) = card(equations_of(teaching_source((0, 1)), CHOICE, (1,))).lines
    assert line.text == "max(0.1742, 0.0037, 0.0124, 0.4835, 0.3261) = 0.4835"
    assert (line.notes[0].key, line.notes[0].values) == ("chosen", {"word": 3})


@pytest.mark.parametrize(("length", "shown"), [(6, 6), (7, 1)])
def test_a_row_of_up_to_six_shows_every_exponential(length: int, shown: int) -> None:
    source = random_source(TWO_BLOCKS, (0, 4, 3, 1, 2, 0, 1)[:length])
    *exponentials, total, share = equations_of(
        source, "blocks.0.attention_probs", (0, length - 1, 2)
    )
    assert [line.label for line in exponentials] == ["exponentials"] * shown
    assert (total.label, share.label) == ("sum", "attention_probs")


def test_layer_norm_of_1_2_3_4() -> None:
    made = layer_norm_card()
    assert [line.text for line in made.lines] == [
        "(1 + 2 + 3 + 4) ÷ 4 = 2.5",
        "1 − 2.5 = −1.5",
        "2 − 2.5 = −0.5",
        "3 − 2.5 = 0.5",
        "4 − 2.5 = 1.5",
        "((−1.5)² + (−0.5)² + 0.5² + 1.5²) ÷ 4 = 1.25",
        "√(1.25 + 0.00001) ≈ 1.118",
        "−1.5 ÷ 1.118 ≈ −1.342",
        "−0.5 ÷ 1.118 ≈ −0.447",
        "0.5 ÷ 1.118 ≈ 0.447",
        "1.5 ÷ 1.118 ≈ 1.342",
    ]
    assert all(reads(line.expression, line.result, 3) for line in made.lines)


def test_zero_terms_are_folded_and_counted_or_written_out() -> None:
    source = teaching_source((0, 1))
    steps = equations_of(source, "blocks.0.ffn_update", (1, 0))
    (folded,) = card(steps).lines
    assert folded.text == "0.25×1.1153 + 0 ≈ 0.2788"
    assert (folded.notes[-1].key, folded.notes[-1].values) == ("zero_terms", {"count": 15})
    written = card(steps, fold=False)
    assert sum("×" in line.expression for line in written.lines) > 1
    for line in written.lines:
        assert reads(line.expression, line.result)


def test_long_sums_come_in_parts() -> None:
    steps = equations_of(random_source(WIDE, (1, 2)), "blocks.0.ffn_update", (1, 0))
    made = card(steps, fold=False)
    parts = [line for line in made.lines if line.label == PARTIAL]
    assert len(parts) == 9  # 64 products and a bias, at most 8 a line
    assert made.lines[-1].expression.count("+") == 8


def test_a_very_long_sum_shows_first_last_and_largest_terms_and_a_subtotal() -> None:
    source = random_source(WIDE, (1, 2))
    steps = equations_of(source, "blocks.0.ffn_update", (1, 0))
    (line,) = card(steps).lines
    assert reads(line.expression, line.result)
    assert line.expression.count("×") == 5  # the first, the last and the three largest
    (note,) = (note for note in line.notes if note.key == "rest_terms")
    assert note.values == {"count": 59}
    refs = [piece.ref for piece in line.pieces if piece.ref is not None]
    used = {ref.cell[-1] for ref in refs if ref.key == "blocks.0.ffn_activation"}
    row = source.array("blocks.0.ffn.2.weight")[0] * source.array("blocks.0.ffn_activation")[1]
    largest = sorted(range(1, 63), key=lambda unit: -abs(row[unit]))[:3]
    assert used == {0, 63, *largest}
    assert ("blocks.0.ffn.2.bias", (0,)) in {(ref.key, ref.cell) for ref in refs}
    rest = math.fsum(value for unit, value in enumerate(row) if unit not in used)
    shown = float(line.expression.rpartition(" + ")[2].strip("()").replace("−", "-"))
    assert shown == pytest.approx(rest, abs=1e-4)


def test_every_kind_of_cell_of_the_poems_reads_as_it_says() -> None:
    """The last position's first, middle and last cell of every value, and every word's logit."""
    entry = shipped_entry("poems")
    assert entry.onnx_trace is not None
    ids = entry.vocabulary.encode("床前明月光，↵疑")
    trace = onnxruntime_runner(entry.onnx_trace)(np.array([ids]))
    axes = trace_shapes(entry.config.num_layers)
    values = {key: value[0] if axes[key][0] == "B" else value for key, value in trace.items()}
    source = source_of_numbers(values, entry.weights(), entry.config, tuple(ids))
    read = 0
    for key in value_axes(entry.config):
        shape = source.array(key).shape
        for place in (0, 1, 2):
            cell = tuple((0, size // 2, size - 1)[place] for size in shape)
            for line in card(equations_of(source, key, cell)).lines:
                assert reads(line.expression, line.result), (key, cell, line.text)
                assert len(line.pieces) < 60
                read += 1
    for word in range(entry.config.vocab_size):
        for line in card(equations_of(source, "logits", (7, word))).lines:
            assert reads(line.expression, line.result), (word, line.text)
    assert read > 100


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
        equations_of(teaching_source((0, 1)), key, cell)
