"""Writing the decode form for ONNX Runtime, in 32 or 8 bits, with embedded or external weights."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import onnx

from export.decode_ort.eight_bits import with_eight_bits
from export.decode_ort.graph import decode_ort_graph
from export.decode_ort.stored_weights import StoredGraph, Weights, embedded, write
from model.config import MiniGPTConfig
from model.network import MiniGPT
from model.parameters import check_values

FORM_KEY = "form"
FORM, EIGHT_BIT_FORM = "decode-ort", "decode-ort-int8"


def decode_ort(model: MiniGPT, metadata: Mapping[str, str]) -> onnx.ModelProto:
    """`model` as one ONNX file; see `decode_ort_graph` for inputs and outputs."""
    weights = weight_views(model)  # checked before the graph is built
    return embedded(decode_ort_graph(model.config), weights, _about(metadata, FORM))


def decode_ort_int8(model: MiniGPT, metadata: Mapping[str, str]) -> onnx.ModelProto:
    """The same with 8-bit weight matrices: smaller, faster, and not exact."""
    weights = weight_views(model)
    graph = with_eight_bits(decode_ort_graph(model.config))
    return embedded(graph, weights, _about(metadata, EIGHT_BIT_FORM))


def write_decode_ort(
    config: MiniGPTConfig,
    weights: Weights,
    metadata: Mapping[str, str],
    path: Path,
    *,
    eight_bits: bool = False,
) -> list[Path]:
    """Write `path` and its external weights: for a network too large to be in memory twice.

    weights: a state_dict as arrays; each is read when it is written, so a memory-mapped file
        needs no more memory than its largest matrix.
    Returns the files written.
    """
    graph: StoredGraph = decode_ort_graph(config)
    form = FORM
    if eight_bits:
        graph, form = with_eight_bits(graph), EIGHT_BIT_FORM
    return write(graph, weights, _about(metadata, form), path)


def weight_views(model: MiniGPT) -> Weights:
    """The model's weights as arrays that share its memory.

    Raises:
        InputError: one is not float32, or a value is not finite.
    """
    state = model.state_dict()
    check_values(state)  # before the conversion to NumPy, which has no bfloat16
    return {name: tensor.numpy() for name, tensor in state.items()}


def _about(metadata: Mapping[str, str], form: str) -> dict[str, str]:
    return {**metadata, FORM_KEY: form}
