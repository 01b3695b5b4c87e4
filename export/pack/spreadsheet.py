"""`mini_gpt.xlsx`: the whole forward pass of the lesson's model in live formulas.

The prompt is chosen by drop-down; every value has its trace name as a heading and as a defined
name of the workbook. Nothing is computed here: the spreadsheet does it.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

from numpy.typing import NDArray
from openpyxl.styles import PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

from export.pack.formulas import Formulas
from export.pack.sheet import FIRST_COLUMN, Content, Index, Sheet
from languages import LANGUAGES, texts
from model.config import MiniGPTConfig
from model.parameters import Weights
from model.stages import axis_sizes
from model.stages import texts as network_texts
from model.values import bare_name, placed_values
from model.vocabulary import Vocabulary
from model.working import source_of_numbers

FILE = "mini_gpt.xlsx"
NO_WORD = "—"  # the choice for a position beyond the prompt
WORDS, IDS, NEXT, NOTE = "prompt_words", "token_ids", "next_word", "note"
WORDS_ROW, IDS_ROW, NEXT_ROW, NOTE_ROW, TOP_ROWS = 3, 4, 5, 6, 7

_DATE = datetime(2020, 1, 1, tzinfo=UTC).replace(tzinfo=None)
_ZIP_DATE = (2020, 1, 1, 0, 0, 0)  # constant, so that the bytes are reproducible
_CHOICE_FILL = PatternFill("solid", fgColor="FFF2CC")


def spreadsheet(
    config: MiniGPTConfig, parameters: Weights, vocabulary: Vocabulary, example: list[str]
) -> bytes:
    """The workbook of a network. The lesson's offers 30 prompts.

    parameters: float64 decimals by state_dict name. example: the initially chosen words.
    """
    book = Workbook()
    del book["Sheet"]
    forward, weights = Sheet(book, "forward"), Sheet(book, "weights")
    _write_weights(weights, parameters, vocabulary)
    _write_prompt(forward, weights, config, example)
    longest = source_of_numbers({}, parameters, config, (0,) * config.context_length)
    formulas = Formulas(config, forward, weights, longest, _used, _id_cell)
    _write_trace(forward, formulas, config, vocabulary)
    _write_next_word(forward, weights, config)
    forward.raw.freeze_panes = forward.raw.cell(TOP_ROWS + 1, FIRST_COLUMN)
    for name, row in ((WORDS, WORDS_ROW), (IDS, IDS_ROW)):
        area = f"{_top_cell(0, row)}:{_top_cell(config.context_length - 1, row)}"
        book.defined_names[name] = DefinedName(name, attr_text=f"'forward'!{area}")
    for name, row in ((NEXT, NEXT_ROW), (NOTE, NOTE_ROW)):
        book.defined_names[name] = DefinedName(name, attr_text=f"'forward'!{_top_cell(0, row)}")
    return _saved(book)


def _write_weights(sheet: Sheet, parameters: Weights, vocabulary: Vocabulary) -> None:
    sheet.line(_said("weights", " · "), bold=True, size=14)
    sheet.line()
    choices = (*vocabulary.words, NO_WORD)
    sheet.values("words", (len(choices), 1), lambda index: choices[index[0]])
    for name, array in parameters.items():
        numbers = partial(_number, array)
        sheet.values(name, array.shape, numbers, _text("weights", name))


def _number(array: NDArray[Any], index: Index) -> float:
    return float(array[index])


def _write_prompt(sheet: Sheet, weights: Sheet, config: MiniGPTConfig, example: list[str]) -> None:
    """Write the chosen words, their ids and the note; leave a row for the next word."""
    sheet.line(f"MiniGPT: {_said('title', ' · ')}", bold=True, size=14)
    sheet.line(_said("how"))
    words = example + [NO_WORD] * (config.context_length - len(example))
    sheet.line(WORDS, _said("prompt"), *words, bold=True)
    known = weights.area("words")
    chosen = [_top_cell(t, WORDS_ROW) for t in range(config.context_length)]
    sheet.line(IDS, _said("ids"), *_ids(chosen, known))
    sheet.row = NOTE_ROW
    sheet.line(NOTE, "", _note(chosen), bold=True)
    sheet.row = TOP_ROWS + 1
    choice = DataValidation(type="list", formula1=f"={known}", allow_blank=False)
    choice.add(f"{chosen[0]}:{chosen[-1]}".replace("$", ""))
    sheet.raw.add_data_validation(choice)
    for word in chosen:
        sheet.raw[word.replace("$", "")].fill = _CHOICE_FILL


def _ids(chosen: list[str], known: str) -> Iterator[str]:
    """An id for each chosen word; empty for anything else and for every position after it."""
    for t, word in enumerate(chosen):
        found = f'IF(OR({word}="",{word}="{NO_WORD}"),"",IFERROR(MATCH({word},{known},0)-1,""))'
        yield f'=IF({_id_cell(t - 1)}="","",{found})' if t else f"={found}"


def _note(chosen: list[str]) -> str:
    """A formula for the message about invalid words, in one sentence; empty if all are valid."""
    note = '""'
    for t in reversed(range(len(chosen))):
        ends = ",".join(f'{word}="{NO_WORD}"' for word in chosen[t:])  # only — up to the end
        fine = f"OR({_used(t)},AND({ends}))" if t else _used(t)
        note = f'IF({fine},{note},"{_no_word(t + 1)}")'
    return f"={note}"


def _no_word(place: int) -> str:
    if place == 1:
        return _said("no_first")
    return _said("no_word", place=place, none=NO_WORD)


def _write_trace(
    sheet: Sheet, formulas: Formulas, config: MiniGPTConfig, vocabulary: Vocabulary
) -> None:
    """Every value that has a formula, under its name, in the order of the computation."""
    sizes = axis_sizes(config, config.context_length)
    for key, placed in placed_values(config.num_layers).items():
        content = formulas.of(placed)
        if content is None:
            continue
        axes = placed.value.axes
        shape = tuple(sizes[axis] for axis in axes)
        heads = vocabulary.words if axes[-1] == "V" else None
        if len(axes) == 1:  # one number per row
            shape, heads = (*shape, 1), ("",)
        title = _text("values", bare_name(key).rpartition(".")[2])
        sheet.values(key, shape, content, title, _label(axes), heads)


def _write_next_word(sheet: Sheet, weights: Sheet, config: MiniGPTConfig) -> None:
    """Write the most probable next word below the prompt."""
    lines = [sheet.across("vocabulary_probs", t) for t in range(config.context_length)]
    words = weights.area("words")
    answers = ",".join(f"INDEX({words},MATCH(MAX({line}),{line},0))" for line in lines)
    ids = f"{_top_cell(0, IDS_ROW)}:{_top_cell(config.context_length - 1, IDS_ROW)}"
    sheet.row, row = NEXT_ROW, sheet.row
    chosen = f'=IF(COUNT({ids})=0,"",CHOOSE(COUNT({ids}),{answers}))'
    sheet.line(NEXT, _said("next"), chosen, bold=True)
    sheet.row = row


def _top_cell(position: int, row: int) -> str:
    return f"${get_column_letter(FIRST_COLUMN + position)}${row}"


def _id_cell(position: int) -> str:
    return _top_cell(position, IDS_ROW)


def _used(position: int) -> str:
    return f'{_id_cell(position)}<>""'


def _label(axes: tuple[str, ...]) -> Content:
    """`头 head 1 · 位置 position 0` for a row: its axes except the columns'."""
    names = {"H": _said("head"), "T": _said("position")}
    first = {"H": 1, "T": 0}  # the lesson counts heads from 1
    lines = axes[:-1] if len(axes) > 1 else axes

    def content(index: Index) -> str:
        places = zip(lines, index, strict=False)
        return " · ".join(f"{names[axis]} {at + first[axis]}" for axis, at in places)

    return content


def _said(name: str, between: str = " ", **values: object) -> str:
    """A text of the workbook, in all languages."""
    return between.join(
        texts(language, "documents")[f"spreadsheet.{name}"].format(**values)
        for language in LANGUAGES
    )


def _text(group: str, name: str) -> str:
    """A text about the network in all languages; equal texts appear once."""
    told = network_texts()[group]
    each = told.get(name) or told.get(name.split(".", 2)[-1], {})
    return " · ".join(dict.fromkeys(each.values()))


def _saved(book: Workbook) -> bytes:
    """The workbook's bytes without the time of its creation."""
    book.properties.created = book.properties.modified = _DATE
    book.properties.creator = "mini-gpt"
    written = io.BytesIO()
    book.save(written)
    result = io.BytesIO()
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(result, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "docProps/core.xml":  # openpyxl stamps the time while saving
                content = _without_time(content)
            stamped = zipfile.ZipInfo(entry.filename, _ZIP_DATE)
            target.writestr(stamped, content, zipfile.ZIP_DEFLATED)
    return result.getvalue()


def _without_time(core: bytes) -> bytes:
    text = core.decode()
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", _DATE.strftime("%Y-%m-%dT%H:%M:%SZ"), text).encode()
