"""The page's own calls: the view of a sentence, the next word, reading text, differences."""

from __future__ import annotations

import base64
import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from export.compare import compare, largest
from export.runtimes import Arrays
from model.errors import InputError
from model.sampling import draw_numbers, sample_next_token
from model.trace import trace_shapes
from ui import torch_loading
from ui.calls import Request, Response, server_call
from ui.engines import ONNX_RUNTIME, TORCH, run
from ui.fields import as_number
from ui.requests import Prompt, read_block, read_index, read_prompt, read_sampling
from ui.sentences import check_length, check_not_empty, read_text

MOST_LISTED = 4096  # numbers of a trace; a larger one travels as bytes
_BYTES = "float32"
_ROAD = ".residual_"

_WITHOUT_ONNX = {"onnx_preparing": "preparing", "onnx_broken": "broken"}


@server_call
def view(request: Request) -> Response:
    """Every value of the sentence, in the chosen engine; of many only `block`'s, see `carried`."""
    prompt = read_prompt(request)
    return view_of(prompt, read_block(request.get("block"), prompt.entry.config))


@server_call
def step(request: Request) -> Response:
    """The next word and the view of the sentence with it appended.

    `index` is the row of the seeded random numbers: how many words were appended before.
    """
    prompt = read_prompt(request)
    check_not_empty(prompt.tokens, prompt.entry)
    check_length(len(prompt.tokens) + 1)
    settings = read_sampling(request.get("sampling"))
    seed, index = as_number(request.get("seed", 0)), read_index(request.get("index", 0))
    last_logits = _run(prompt)["logits"][:, -1]
    uniforms = draw_numbers(seed, 1, 1, start=index)[0]
    next_id = int(sample_next_token(last_logits, settings, uniforms)[0, 0])
    appended = Prompt([*prompt.tokens, next_id], prompt.entry, prompt.engine, prompt.change)
    block = read_block(request.get("block"), prompt.entry.config)
    return {"next_id": next_id, "view": view_of(appended, block)}


@server_call
def read(request: Request) -> Response:
    """Free text as word ids."""
    return {"tokens": read_text(request.get("text"), read_prompt({**request, "tokens": []}).entry)}


@server_call
def differences(request: Request) -> Response:
    """PyTorch against ONNX Runtime on the window, value by value.

    `state` is "ready" if there are differences to show; otherwise "loading" or "missing"
    (PyTorch), "preparing" (the ONNX graph for these sizes) or "broken" (the ONNX file).
    """
    prompt = read_prompt(request)
    torch_loading.start()
    if torch_loading.state() != "ready" or not prompt.tokens:
        return {"state": torch_loading.state(), "values": [], "largest": None}
    try:
        expected, actual = (
            run(prompt.entry, engine, prompt.window, prompt.change)
            for engine in (TORCH, ONNX_RUNTIME)
        )
    except InputError as error:
        if error.code not in _WITHOUT_ONNX:
            raise
        return {"state": _WITHOUT_ONNX[error.code], "values": [], "largest": None}
    found = compare(expected, actual)
    values = [
        {
            "name": difference.name,
            "max_abs": _finite(difference.max_abs),
            "max_rel": _finite(difference.max_rel),
            "differing": difference.differing,
            "ok": difference.ok,
        }
        for difference in found
    ]
    return {"state": "ready", "values": values, "largest": values[found.index(largest(found))]}


def _finite(number: float) -> float | None:
    """`number`, or None (JSON has no infinity) if float32 overflowed in an engine."""
    return number if math.isfinite(number) else None


SERVER_FUNCTIONS = [view, step, read, differences]


def view_of(prompt: Prompt, block: int | None = None) -> Response:
    """What the browser shows of `prompt`; `trace` and the numbers are None without words.

    `baseline` is the trace without the changes, None if there are none; both are as `carried`
    makes them. With many numbers, `block` in the answer says which block they are of.
    """
    shown: dict[str, Any] = {
        "model": prompt.entry.description,
        "engine": prompt.engine,
        "tokens": prompt.tokens,
        "window": prompt.window,
        "window_start": prompt.window_start,
        "trace": None,
        "logits": None,
        "probabilities": None,
        "baseline": None,
    }
    if prompt.tokens:
        layers = prompt.entry.config.num_layers
        arrays = _run(prompt)
        shown["trace"] = carried(arrays, layers, block)
        shown["logits"] = _with_none(arrays["logits"][0, -1])
        shown["probabilities"] = _with_none(arrays["vocabulary_probs"][0, -1])
        if prompt.change:
            unchanged = run(prompt.entry, prompt.engine, prompt.window)
            shown["baseline"] = carried(unchanged, layers, block)
        if block is not None and _BYTES in shown["trace"]:
            shown["block"] = block
    return shown


def carried(arrays: Arrays, num_layers: int, block: int | None = None) -> dict[str, Any]:
    """The trace as it travels to the page: as lists, or with many numbers as bytes.

    The bytes are `{"float32": base64}`: the values in the order of `trace_shapes`, little-endian,
    with minus infinity where a score is masked; the page knows the shapes from the sizes. With
    a `block`, only the residual stream of the other blocks: that is what the map draws.
    """
    names = _carried_names(num_layers, None)
    if sum([arrays[name].size for name in names]) <= MOST_LISTED:
        return trace_lists(arrays, num_layers)
    parts = [
        np.ascontiguousarray(arrays[name], dtype="<f4").data
        for name in _carried_names(num_layers, block)
    ]
    return {_BYTES: base64.b64encode(b"".join(parts)).decode("ascii")}


@cache
def _carried_names(num_layers: int, block: int | None) -> tuple[str, ...]:
    names = [name for name, _, _ in _layout(num_layers)]
    if block is None:
        return tuple(names)
    here = f"blocks.{block}."
    return tuple(
        name
        for name in names
        if name.startswith(here) or not name.startswith("blocks.") or _ROAD in name
    )


def trace_lists(arrays: Arrays, num_layers: int) -> dict[str, Any]:
    """The trace as JSON: nested lists without the batch axis, a masked score as None."""
    layout = _layout(num_layers)
    finite = _all_finite([arrays[name] for name, _, is_masked in layout if not is_masked])
    lists = {}
    for name, in_batch, is_masked in layout:
        array = arrays[name]
        values = array.tolist() if finite and not is_masked else _with_none(array)
        lists[name] = values[0] if in_batch else values
    return lists


@cache
def _layout(num_layers: int) -> tuple[tuple[str, bool, bool], ...]:
    """Name, whether it has a batch axis, and whether it contains minus infinity (masked)."""
    return tuple(
        (name, axes[0] == "B", name.endswith("masked_scores"))
        for name, axes in trace_shapes(num_layers).items()
    )


def _all_finite(arrays: list[NDArray[Any]]) -> bool:
    """One check of all values, which share a dtype: 22 checks take longer than the network."""
    joined = b"".join([array.tobytes() for array in arrays])  # np.concatenate takes twice as long
    return bool(np.isfinite(np.frombuffer(joined, dtype=arrays[0].dtype)).all())


def _with_none(array: NDArray[Any]) -> Any:
    cells = array.astype(object)
    cells[~np.isfinite(array)] = None
    return cells.tolist()


def _run(prompt: Prompt) -> Arrays:
    return run(prompt.entry, prompt.engine, prompt.window, prompt.change)
