"""Changing single weights by hand: `{parameter: {"i,j": value}}`, checked and applied.

The keys are state_dict names and indices, so an edit means the same to every engine, fits into
a URL and is readable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from model.errors import InputError
from model.older_names import kept_name
from model.parameters import Weights
from model.typed_numbers import read_number

LARGEST_WEIGHT = 1000.0
"""The lesson's weights are at most 3; a thousand times that still computes without overflow."""

Edits = dict[str, dict[str, float]]


def check_edits(edits: Any, shapes: Mapping[str, tuple[int, ...]]) -> Edits:
    """`edits` with every name, index and value checked; None means no edits.

    shapes: the parameters that can be edited (`model.parameters.parameter_shapes`).

    Raises:
        InputError: names the parameter, index or value that is wrong.
    """
    if edits is None:
        return {}
    if not isinstance(edits, Mapping):
        raise InputError("edits_form", value=_short(edits))
    checked: Edits = {}
    for given, cells in edits.items():
        name = kept_name(given, edits) if isinstance(given, str) else given
        if name not in shapes:
            raise InputError("edit_parameter", name=_short(given))
        if not isinstance(cells, Mapping):
            raise InputError("edits_form", value=_short(cells))
        values = {
            index_key(index_of(key, name, shapes[name])): check_weight(value, f"{name}[{key}]")
            for key, value in cells.items()
        }
        if values:
            checked[name] = values
    return checked


def apply_edits(weights: Weights, edits: Any) -> dict[str, NDArray[Any]]:
    """`weights` with `edits` applied; unedited arrays are shared, the arguments are not changed.

    Raises:
        InputError: as `check_edits`.
    """
    shapes = {name: values.shape for name, values in weights.items()}
    return edited_weights(weights, check_edits(edits, shapes))


def edited_weights(weights: Weights, edits: Edits) -> dict[str, NDArray[Any]]:
    """`weights` with the already checked `edits` applied; unedited arrays are shared."""
    edited = dict(weights)
    for name, cells in edits.items():
        edited[name] = weights[name].copy()
        for key, value in cells.items():
            edited[name][index_of(key, name, edited[name].shape)] = value
    return edited


def index_of(key: Any, name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The index "i,j" (or "i") as integers.

    Raises:
        InputError: not an index, or outside `shape`.
    """
    parts = key.split(",") if isinstance(key, str) else []
    # isdecimal alone would accept other scripts' digits, and int() spaces and underscores.
    plain = all(part.isascii() and part.isdecimal() and len(part) <= 9 for part in parts)
    index = tuple(int(part) for part in parts) if plain else ()
    inside = len(index) == len(shape) and all(
        place < size for place, size in zip(index, shape, strict=True)
    )
    if not inside:
        raise InputError("edit_index", name=name, index=_short(key), shape=list(shape))
    return index


def index_key(index: tuple[int, ...]) -> str:
    """(1, 2) -> "1,2": the form an edit is stored in."""
    return ",".join(map(str, index))


def check_weight(value: Any, place: str) -> float:
    """`value` as a float.

    Raises:
        InputError: not a number, not finite, or further than LARGEST_WEIGHT from 0.
    """
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not abs(value) <= LARGEST_WEIGHT:  # rejects NaN too
        raise InputError("edit_value", place=place, value=_short(value), limit=LARGEST_WEIGHT)
    return float(value)


def read_weight(text: Any, place: str) -> float:
    """The number that the user typed.

    Raises:
        InputError: as `check_weight`, quoting the text as typed; or the number is ambiguous.
    """
    typed = read_number(text)
    if typed is None or abs(typed.value) > LARGEST_WEIGHT:
        raise InputError("edit_value", place=place, value=_short(text), limit=LARGEST_WEIGHT)
    return float(typed.value)


def typed_edits(text: Any, name: Any, key: Any, shapes: Mapping[str, tuple[int, ...]]) -> Edits:
    """What the user typed or pasted into cell `key` of `name`, as edits.

    Text with tabs or line breaks, as a spreadsheet copies it, fills the cells to the right and
    below.

    Raises:
        InputError: as `check_edits`; no cell is then edited.
    """
    if not isinstance(name, str) or name not in shapes:
        raise InputError("edit_parameter", name=_short(name))
    first = index_of(key, name, shapes[name])
    cells: dict[str, float] = {}
    lines = str(text).strip("\r\n").splitlines() or [""]
    for down, line in enumerate(lines):
        for right, piece in enumerate(line.strip().split("\t")):
            index = _moved(first, down, right)
            place = index_key(index_of(index_key(index), name, shapes[name]))
            cells[place] = read_weight(piece, f"{name}[{place}]")
    return {name: cells}


def _moved(first: tuple[int, ...], down: int, right: int) -> tuple[int, ...]:
    """The index moved by `down` rows and `right` columns; in a vector both move along its axis."""
    if len(first) == 1:
        return (first[0] + down + right,)
    return (first[0] + down, first[1] + right)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
