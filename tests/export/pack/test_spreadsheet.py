"""The spreadsheet, recalculated by LibreOffice for every prompt of the lesson's model."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
import torch

from export.pack.spreadsheet import NEXT, NO_WORD, NOTE, WORDS, spreadsheet
from export.runtimes.pytorch import pytorch_runner
from model.network import MiniGPT
from model.parameters import weights_of
from model.teaching import teaching_model
from model.trace import trace_shapes
from model.vocabulary import LESSON_WORDS

PRECISION = 1e-9
# What can stand in the two yellow cells besides words; with the words it is computed as, and
# which word the sentence is about.
TYPED: dict[tuple[str | None, str | None], tuple[tuple[int, ...], int | None]] = {
    (None, None): ((), 1),
    (None, "喜欢"): ((), 1),
    (NO_WORD, "喜欢"): ((), 1),
    (NO_WORD, NO_WORD): ((), 1),
    ("狗", "喜欢"): ((), 1),
    ("我", None): ((0,), 2),
    ("我", "狗"): ((0,), 2),
    ("我", NO_WORD): ((0,), None),
}
PROMPTS = [ids for length in (1, 2) for ids in product(range(5), repeat=length)]


@pytest.fixture(scope="module")
def exact() -> MiniGPT:
    return teaching_model(torch.float64)


@pytest.fixture(scope="module")
def recalculated(exact: MiniGPT, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """A workbook a prompt, computed by LibreOffice in one go."""
    office = shutil.which("soffice")
    if office is None:
        if os.environ.get("CI") == "true":
            pytest.fail("LibreOffice Calc is missing: apt-get install libreoffice-calc")
        pytest.skip("LibreOffice Calc is missing: apt-get install libreoffice-calc")
    folder = tmp_path_factory.mktemp("sheets")
    paths = [_with_prompt(exact, ids, folder / f"{n}.xlsx") for n, ids in enumerate(PROMPTS)]
    paths += [_typed(exact, words, folder / f"typed{n}.xlsx") for n, words in enumerate(TYPED)]
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    to = ["--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir"]
    command = [office, profile, *to, str(folder / "out"), *map(str, paths)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return [openpyxl.load_workbook(folder / "out" / path.name, data_only=True) for path in paths]


def _typed(model: MiniGPT, words: tuple[str | None, ...], path: Path) -> Path:
    """The workbook after somebody typed over the drop-downs, or deleted what they held."""
    book = openpyxl.load_workbook(_with_prompt(model, (0, 1), path))
    area = book.defined_names[WORDS].attr_text.partition("!")[2].replace("$", "")
    for cell, word in zip(book["forward"][area][0], words, strict=True):
        cell.value = word
    book.save(path)
    return path


def _with_prompt(model: MiniGPT, ids: tuple[int, ...], path: Path) -> Path:
    words = [LESSON_WORDS.words[token_id] for token_id in ids]
    content = spreadsheet(model.config, weights_of(model), LESSON_WORDS, words)
    path.write_bytes(content)
    return path


def cells(book: Any, name: str) -> list[list[Any]]:
    """The defined name's values, a list a line."""
    area = book.defined_names[name].attr_text
    sheet, _, cells = area.partition("!")
    found = book[sheet.strip("'")][cells.replace("$", "")]
    lines = found if isinstance(found, tuple) else ((found,),)
    return [[cell.value for cell in line] for line in lines]


@pytest.mark.long("LibreOffice")
def test_every_value_of_every_prompt_is_the_float64_trace(
    exact: MiniGPT, recalculated: list[Any]
) -> None:
    run = pytorch_runner(exact)
    compared = 0
    for ids, book in zip(PROMPTS, recalculated, strict=False):
        trace = run(np.array([ids]))
        for key, axes in trace_shapes(1).items():
            expected = trace[key] if axes[0] != "B" else trace[key][0]
            lines = _of_length(cells(book, key), axes, len(ids))
            actual = [[_number(value) for value in line] for line in lines]
            flat = expected.reshape(-1, expected.shape[-1])
            np.testing.assert_allclose(actual, flat, rtol=0, atol=PRECISION, err_msg=f"{key} {ids}")
            compared += flat.size
    assert compared == sum(_trace_size(len(ids)) for ids in PROMPTS)


@pytest.mark.long("LibreOffice")
def test_the_next_word_is_the_models(exact: MiniGPT, recalculated: list[Any]) -> None:
    run = pytorch_runner(exact, ("logits",))
    for ids, book in zip(PROMPTS, recalculated, strict=False):
        assert cells(book, NOTE)[0][0] in ("", None)
        best = int(run(np.array([ids]))["logits"][0, -1].argmax())
        assert cells(book, NEXT) == [[LESSON_WORDS.words[best]]]
        shown = cells(book, WORDS)[0]
        assert shown == [LESSON_WORDS.words[i] for i in ids] + [NO_WORD] * (2 - len(ids))


@pytest.mark.long("LibreOffice")
def test_no_word_where_one_belongs_is_one_sentence(exact: MiniGPT, recalculated: list[Any]) -> None:
    run = pytorch_runner(exact, ("logits",))
    for (ids, place), book in zip(TYPED.values(), recalculated[len(PROMPTS) :], strict=True):
        said = cells(book, NOTE)[0][0] or ""
        assert (f"第 {place} 个词" in said and f"Word {place} " in said) == (place is not None)
        next_word = cells(book, NEXT)[0][0] or ""
        if not ids:
            assert next_word == ""
            continue
        best = int(run(np.array([ids]))["logits"][0, -1].argmax())
        assert next_word == LESSON_WORDS.words[best]


@pytest.mark.long("LibreOffice")
def test_no_cell_is_an_error(recalculated: list[Any]) -> None:
    for book in recalculated:
        for sheet in book.worksheets:
            for line in sheet.iter_rows(values_only=True):
                assert not [value for value in line if str(value).startswith("#")]


def test_the_values_are_formulas_not_numbers(exact: MiniGPT, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(_with_prompt(exact, (0, 1), tmp_path / "a.xlsx"))
    for key in trace_shapes(1):
        for line in cells(book, key):
            assert all(str(value).startswith("=") for value in line), key


def test_the_words_are_a_drop_down(exact: MiniGPT, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(_with_prompt(exact, (0, 1), tmp_path / "a.xlsx"))
    (choice,) = book["forward"].data_validations.dataValidation
    assert choice.type == "list"
    assert [line[0] for line in cells(book, "words")] == [*LESSON_WORDS.words, NO_WORD]
    assert choice.formula1 == "=" + book.defined_names["words"].attr_text
    first, last = book.defined_names[WORDS].attr_text.partition("!")[2].replace("$", "").split(":")
    assert str(choice.sqref) == f"{first}:{last}"


def test_the_bytes_are_the_same_every_time(exact: MiniGPT, tmp_path: Path) -> None:
    first, second = (_with_prompt(exact, (4, 1), tmp_path / name) for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()


def _of_length(lines: list[list[Any]], axes: tuple[str, ...], sequence: int) -> list[list[Any]]:
    """The lines and columns of positions the prompt has; the others are empty."""
    positions = 2
    within = [axis for axis in axes if axis != "B"]
    if within[-1] == "T":
        assert all(value in ("", None) for line in lines for value in line[sequence:])
        lines = [line[:sequence] for line in lines]
    kept = [number for number in range(len(lines)) if number % positions < sequence]
    for number in set(range(len(lines))) - set(kept):
        assert all(value in ("", None) for value in lines[number])
    return [lines[number] for number in kept]


def _number(value: Any) -> float:
    return -np.inf if value == "−∞" else float(value)


def _trace_size(length: int) -> int:
    sizes = {"B": 1, "T": length, "C": 4, "F": 16, "H": 2, "D": 2, "V": 5}
    shapes = trace_shapes(1).values()
    return sum(int(np.prod([sizes[axis] for axis in axes])) for axes in shapes)
