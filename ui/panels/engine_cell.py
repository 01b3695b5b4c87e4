"""One cell in both engines, with all digits of its float32."""

from __future__ import annotations

from typing import Any

import numpy as np

from export.compare import absolute_distance
from model.trace import trace_shapes
from model.working.numbers import INFINITY, MINUS
from model.working.source import check_cell
from ui import torch_loading
from ui.calls import Request, Response, server_call
from ui.engines import ENGINES, run
from ui.panels.working import read_cell
from ui.requests import read_prompt
from ui.sentences import check_not_empty


@server_call
def cell_in_engines(request: Request) -> Response:
    """What each engine computed for `cell`, and the absolute difference.

    `state` is "ready" with `values` (texts by engine) and `difference`; "loading" or "missing"
    if PyTorch is not available; "derived" for values that are not outputs of the engines.
    """
    prompt = read_prompt(request)
    check_not_empty(prompt.tokens, prompt.entry)
    key, cell = read_cell(request.get("cell"))
    shapes = trace_shapes(prompt.entry.config.num_layers)
    torch_loading.start()
    state = torch_loading.state() if key in shapes else "derived"
    if state != "ready":
        return {"state": state, "values": None, "difference": None}
    found = []
    for engine in ENGINES:
        array = run(prompt.entry, engine, prompt.window, prompt.change)[key]
        array = array[0] if shapes[key][0] == "B" else array
        check_cell(key, cell, array.shape)
        found.append(np.asarray(array[cell]))
    return {
        "state": "ready",
        "values": {engine: _digits(value) for engine, value in zip(ENGINES, found, strict=True)},
        "difference": float(absolute_distance(*found)),
    }


SERVER_FUNCTIONS = [cell_in_engines]


def _digits(value: Any) -> str:
    """The shortest decimal that reads back as this float32."""
    if not np.isfinite(value):
        return MINUS + INFINITY if value < 0 else INFINITY
    return str(np.format_float_positional(np.float32(value), trim="0")).replace("-", MINUS)
