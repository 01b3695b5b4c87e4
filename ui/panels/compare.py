"""Two runs side by side: two sentences, or one sentence with two sets of weights."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from export.compare import Difference, absolute_distance, compare
from export.runtimes import Arrays
from model.errors import InputError
from model.trace import trace_shapes
from ui.calls import Request, Response, server_call
from ui.engines import run
from ui.panel import Panel, Way
from ui.requests import Prompt, read_prompt
from ui.sentences import check_not_empty
from ui.views import view_of

Axes = Mapping[str, tuple[str, ...]]


@server_call
def compare_runs(request: Request) -> Response:
    """Every value of two runs: `left` and `right` are requests as `view` takes them.

    A value's `whole` compares all positions, `last` only the last position; `first` and
    `first_last` name the first value, in order of computation, that differs at all.
    """
    left, right = (_side(request, name) for name in ("left", "right"))
    (expected, axes), (actual, other_axes) = _run(left), _run(right)
    whole = compare(expected, actual, 0.0)
    ends = last_position(expected, axes), last_position(actual, other_axes)
    last = {found.name: found for found in compare(*ends, 0.0)}
    values = [
        {"name": found.name, "whole": _shown(found), "last": _shown(last[found.name])}
        for found in whole
    ]
    return {
        "left": view_of(left),
        "right": view_of(right),
        "values": values,
        "probability_delta": _probability_delta(expected, actual),
        "first": _first(whole),
        "first_last": _first(last[found.name] for found in whole),
        "changed": _changed_cells(expected, actual, axes),
    }


SERVER_FUNCTIONS = [compare_runs]
PANEL = Panel(Way.LAB, order=30)


def last_position(arrays: Arrays, axes: Axes) -> Arrays:
    """Each value at the last position only (for scores: the row of the last position)."""
    return {
        name: np.take(values, -1, axis=axes[name].index("T")) for name, values in arrays.items()
    }


def _run(side: Prompt) -> tuple[Arrays, Axes]:
    arrays = run(side.entry, side.engine, side.window, side.change)
    return arrays, trace_shapes(side.entry.config.num_layers)


def _side(request: Request, name: str) -> Prompt:
    given = request.get(name)
    if not isinstance(given, dict):
        raise InputError("request_type", kind=type(given).__name__)
    prompt = read_prompt({**given, "engine": request.get("engine", "onnxruntime")})
    check_not_empty(prompt.tokens, prompt.entry)
    return prompt


def _shown(found: Difference) -> dict[str, Any]:
    """The table's row for one value.

    `max_abs` is None if nothing could be compared (different shapes, or only on one side) and
    if the difference is infinite (a masked score against an unmasked one).
    """
    return {
        "in_both": found.expected_shape is not None and found.actual_shape is not None,
        "comparable": not math.isnan(found.max_abs),
        "max_abs": found.max_abs if math.isfinite(found.max_abs) else None,
        "differing": found.differing,
        "cells": math.prod(found.expected_shape or ()),
        "same": found.ok,
    }


def _probability_delta(left: Arrays, right: Arrays) -> list[float] | None:
    """right - left for each word; None if the vocabularies differ in size."""
    before, after = (side["vocabulary_probs"][0, -1].astype(np.float64) for side in (left, right))
    return (after - before).tolist() if before.shape == after.shape else None


def _first(found: Iterable[Difference]) -> str | None:
    return next((difference.name for difference in found if not difference.ok), None)


def _changed_cells(left: Arrays, right: Arrays, axes: Axes) -> dict[str, Any]:
    """Which cells differ at all, without the batch axis; only values of equal shape."""
    both = [name for name in left if name in right and left[name].shape == right[name].shape]
    differs = {name: absolute_distance(left[name], right[name]) > 0 for name in both}
    return {
        name: (cells[0] if axes[name][0] == "B" else cells).tolist()
        for name, cells in differs.items()
    }
