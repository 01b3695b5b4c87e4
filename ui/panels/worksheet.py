"""A worksheet for the sentence: every stage, with the last position's numbers left blank."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.errors import InputError
from model.stages import Stage, stages, value_axes
from model.working import CHOICE, Source, card, equations_of
from model.working.pencil import decimals_to_keep
from ui.calls import Request, Response, server_call
from ui.panels.working import as_lists, shifted_keys
from ui.requests import read_prompt
from ui.sources import source_of

MOST_CHANNELS = 8
MOST_WORDS = 8
_GIVEN = ("phi", "mask")  # Φ cannot be calculated by hand; the mask is not calculated


@server_call
def worksheet(request: Request) -> Response:
    """Every stage's values, which cells are blank, and one worked example per stage.

    `values[key]` are numbers; `blanks[key]` is true for the cells that the learner fills in,
    those of the last position. `example` is the working of one of them, as lines of text.
    `decimals` is the precision of intermediate results with which every blank comes out right;
    given numbers are printed with it. `shifted` names the tables of exponentials that are taken
    after subtracting each row's maximum.

    Raises:
        InputError: the network is too large for paper.
    """
    source = source_of(read_prompt(request))
    check_size(source.config, source.sequence)
    keys = value_axes(source.config)
    return {
        "decimals": decimals_to_keep(source),
        "shifted": shifted_keys(source, keys),
        "stages": [_stop(source, stage) for stage in stages(source.config)],
        "weights": {name: as_lists(values) for name, values in source.weights.items()},
    }


SERVER_FUNCTIONS = [worksheet]


def check_size(config: MiniGPTConfig, sequence: int) -> None:
    """Raise InputError unless the tables fit on a sheet of paper."""
    if config.model_dim > MOST_CHANNELS or sequence > MOST_WORDS:
        raise InputError("worksheet_size", channels=MOST_CHANNELS, words=MOST_WORDS)


def _stop(source: Source, stage: Stage) -> dict[str, Any]:
    return {
        "key": stage.key,
        "values": {key: as_lists(source.array(key)) for key in stage.values},
        "blanks": {key: blanks(key, source).tolist() for key in stage.values},
        "example": _example(source, stage.key),
    }


def blanks(key: str, source: Source) -> NDArray[np.bool_]:
    """True for each cell of `key` that is left blank: the last position's, unless given."""
    shape = source.array(key).shape
    blank = np.zeros(shape, dtype=bool)
    if key.rpartition(".")[2] in _GIVEN:
        return blank
    axis = value_axes(source.config)[key].index("T")
    last = [slice(None)] * len(shape)
    last[axis] = slice(source.sequence - 1, source.sequence)
    blank[tuple(last)] = True
    return blank


def _example(source: Source, key: str) -> list[dict[str, str]]:
    """The working of the last position's first cell; at the end, of the chosen word's cell."""
    cell = _first_cell(source, key)
    lines = card(equations_of(source, key, cell)).lines
    return [{"label": line.label, "text": line.text} for line in lines]


def _first_cell(source: Source, key: str) -> tuple[int, ...]:
    axes = value_axes(source.config)[key]
    place = axes.index("T")
    cell = [0] * len(axes)
    cell[place] = source.sequence - 1
    if key in ("logits", "vocabulary_probs"):  # the cell of the chosen word
        cell[-1] = int(source.array(CHOICE)[-1])
    return tuple(cell)
