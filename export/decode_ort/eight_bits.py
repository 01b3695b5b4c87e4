"""8-bit weight matrices for ONNX Runtime: a quarter of the bytes, and a stated error.

Every block of 32 weights of a column shares one scale, its largest absolute value / 127
(round to nearest, zero stays zero). `MatMulNBits` (com.microsoft) multiplies them without
unpacking; with `accuracy_level` 4 it rounds the activations to 8 bits too. Embedding tables,
norms and biases stay in float32.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from onnx import NodeProto, helper

from export.decode_ort.node_list import NodeList
from export.decode_ort.skip_norm import MICROSOFT
from export.decode_ort.stored_weights import Array, Layout, StoredGraph

BLOCK = 32
ZERO = 128  # the zero point: MatMulNBits takes unsigned bytes
LARGEST = 127
_COLUMNS = 2048  # quantized together
INT8_ACTIVATIONS = 4  # the accuracy level with the fast kernel


def with_eight_bits(graph: StoredGraph) -> StoredGraph:
    """`graph` with every matrix that a MatMul reads stored in 8 bits."""
    nodes = NodeList(graph.nodes)
    layouts = dict(graph.layouts)
    for node in nodes:
        if node.op_type != "MatMul" or node.input[1] not in layouts:
            continue
        name = node.input[1]
        layout = layouts.pop(name)
        layouts |= _quantized(name, layout)
        nodes.replace(node.output[0], _multiplication(node, layout))
    return replace(graph, nodes=tuple(nodes), layouts=layouts)


def quantize(weight: Array) -> tuple[Array, Array]:
    """[K, N] -> bytes [N, K / 32, 32] and scales [N, K / 32]; the last block is padded with 0."""
    inputs, outputs = weight.shape
    count = -(-inputs // BLOCK)
    steps = np.empty((outputs, count, BLOCK), dtype=np.uint8)
    scales = np.empty((outputs, count), dtype=np.float32)
    for start in range(0, outputs, _COLUMNS):  # all at once takes four times the memory
        part = slice(start, start + _COLUMNS)
        steps[part], scales[part] = _quantize_columns(weight[:, part].T)
    return steps, scales


def _quantize_columns(columns: Array) -> tuple[Array, Array]:
    padded = np.pad(columns, ((0, 0), (0, -columns.shape[1] % BLOCK)))
    blocks = padded.reshape(len(columns), -1, BLOCK)
    scales = np.abs(blocks).max(axis=-1) / np.float32(LARGEST)
    divisors = np.where(scales > 0, scales, np.float32(1))[..., None]  # zeros stay zeros
    return (np.rint(blocks / divisors) + ZERO).astype(np.uint8), scales


def _quantized(name: str, layout: Layout) -> dict[str, Layout]:
    inputs, outputs = layout.shape
    count = -(-inputs // BLOCK)
    arrange = layout.arrange
    return {
        f"{name}.int8": replace(
            layout,
            shape=(outputs, count, BLOCK),
            dtype=np.uint8,
            arrange=lambda weight: quantize(arrange(weight))[0],
        ),
        f"{name}.scales": replace(
            layout,
            shape=(outputs, count),
            arrange=lambda weight: quantize(arrange(weight))[1],
        ),
    }


def _multiplication(node: NodeProto, layout: Layout) -> NodeProto:
    name = node.input[1]
    inputs, outputs = layout.shape
    return helper.make_node(
        "MatMulNBits",
        [node.input[0], f"{name}.int8", f"{name}.scales"],
        [node.output[0]],
        domain=MICROSOFT,
        K=inputs,
        N=outputs,
        bits=8,
        block_size=BLOCK,
        accuracy_level=INT8_ACTIVATIONS,
    )
