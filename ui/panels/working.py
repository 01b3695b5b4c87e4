"""The working area's calls: stages, values derived from the trace, the working of a cell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.errors import InputError
from model.parameters import parameter_shapes
from model.stages import Stage, axis_sizes, stage_of, stages, texts
from model.values import bare_name, placed_values, weight_axes
from model.working import Source, as_dict, card, equations_of, layer_norm_card
from ui.calls import Request, Response, server_call
from ui.models import model_entry
from ui.requests import read_prompt
from ui.sources import source_of

_MOST_KEYS = 32  # a stage has at most six values and two weights
_MOST_CELLS = 4096  # of one value; of a larger one only the working is shown


@server_call
def network_stages(request: Request) -> Response:
    """The stages of `model` in order, and their texts in both languages."""
    config = model_entry(request.get("model", "teaching")).config
    return {
        "stages": [
            _stage(stage, number, config) for number, stage in enumerate(stages(config), start=1)
        ],
        "sizes": _sizes(config),
        "texts": texts(),
    }


@server_call
def stage_values(request: Request) -> Response:
    """Derived values and weights by key, and the working of one cell.

    `keys` are the values to return; `cell` is `{"key", "cell"}` or None; `fold` False writes out
    the zero terms of long sums. A value of more than 4,096 cells is None. `shifted` names those of
    `keys` that are exponentials after subtracting each row's maximum.
    """
    source = source_of(read_prompt(request))
    keys = request.get("keys", [])
    if not isinstance(keys, list) or len(keys) > _MOST_KEYS:
        raise InputError("working_key", key=str(keys)[:60])
    return {
        "values": {key: as_lists(source.array(_name(key))) for key in keys},
        "working": _working(source, request.get("cell"), request.get("fold") is not False),
        "shifted": shifted_keys(source, keys),
    }


@server_call
def layer_norm_example(request: Request) -> Response:
    """The lesson's LayerNorm of 1, 2, 3, 4, line by line."""
    return {"working": as_dict(layer_norm_card())}


SERVER_FUNCTIONS = [network_stages, stage_values, layer_norm_example]


def shifted_keys(source: Source, keys: Iterable[str]) -> list[str]:
    """The tables of exponentials among `keys` that are taken after subtracting the row maximum."""
    owners = ((key, *key.rpartition(".")[::2]) for key in keys)
    return [
        key for key, owner, name in owners if name == "exponentials" and source.is_shifted(owner)
    ]


def read_cell(asked: Any) -> tuple[str, tuple[int, ...]]:
    """`{"key", "cell"}` of a request.

    Raises:
        InputError: it does not have this form.
    """
    key, cell = (asked.get("key"), asked.get("cell")) if isinstance(asked, dict) else (None, None)
    if not isinstance(cell, list) or not all(type(index) is int for index in cell):
        raise InputError("working_cell", key=str(key)[:60], cell=str(cell)[:60], shape="…")
    return _name(key), tuple(cell)


def _working(source: Source, asked: Any, fold: bool) -> Response | None:
    if asked is None:
        return None
    key, cell = read_cell(asked)
    home = stage_of(key, source.config)
    made = as_dict(card(equations_of(source, key, cell), fold=fold))
    return {**made, "stage": None if home is None else home.key}


def _name(key: Any) -> str:
    if not isinstance(key, str):
        raise InputError("working_key", key=str(key)[:60])
    return key


def as_lists(array: NDArray[Any]) -> Any:
    """Nested lists, minus infinity as None; None for an array too large to be shown."""
    if array.size > _MOST_CELLS:
        return None
    cells = array.astype(object)
    cells[~np.isfinite(array.astype(np.float64))] = None
    return cells.tolist()


def _stage(stage: Stage, number: int, config: MiniGPTConfig) -> dict[str, Any]:
    places, letters = placed_values(config.num_layers), weight_axes(config.num_layers)
    shapes = parameter_shapes(config)
    return {
        "key": stage.key,
        "name": stage.name,
        "block": stage.block,
        "number": number,
        "reads": list(stage.reads),
        "values": [
            {
                "key": key,
                "name": bare_name(key).rpartition(".")[2],
                "axes": list(value.axes),
                "batch": value.is_traced and value.has_batch,
                "traced": value.is_traced,
            }
            for key, value in ((key, places[key].value) for key in stage.values)
        ],
        "weights": [
            {
                "key": key,
                "name": bare_name(key),
                "axes": list(letters[key]),
                "shape": list(shapes[key]),
            }
            for key in stage.weights
        ],
    }


def _sizes(config: MiniGPTConfig) -> dict[str, int]:
    """Sizes of the axes that do not depend on the sentence."""
    sizes = axis_sizes(config, 0)
    sizes.pop("T")
    return sizes | {"L": config.context_length, "3C": 3 * config.model_dim}
