"""Greedy decoding inside the graph: the plain network as the body of a `Loop`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

from export.graph import BATCH_AXIS, INPUT_NAME, LOGITS_ONLY, SEQUENCE_AXIS

COUNT_NAME = "new_tokens"
GENERATED_NAME = "generated_ids"
TOTAL_AXIS = "sequence_and_new_tokens"

_WINDOW = "window_ids"
_END = np.iinfo(np.int64).max  # "to the end" for Slice


def with_greedy_loop(proto: onnx.ModelProto, context_length: int) -> onnx.ModelProto:
    """`proto` (token ids to logits) as a graph that decodes greedily.

    Inputs: `token_ids` int64 [batch, sequence], any length from 1; `new_tokens` int64 scalar,
    from 1. Output: `generated_ids` int64 [batch, sequence + new_tokens]: at each step the most
    probable word after the last `context_length` tokens, the lowest id among equals.
    """
    network = proto.graph
    body = helper.make_graph(
        [*_window(), *_reading_the_window(network.node), *_append()],
        "one_more_word",
        [
            helper.make_tensor_value_info("step", TensorProto.INT64, []),
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("ids", TensorProto.INT64, [BATCH_AXIS, None]),
        ],
        [
            helper.make_tensor_value_info("go_on_again", TensorProto.BOOL, []),
            helper.make_tensor_value_info("longer_ids", TensorProto.INT64, [BATCH_AXIS, None]),
        ],
    )
    graph = helper.make_graph(
        [helper.make_node("Loop", [COUNT_NAME, "always", INPUT_NAME], [GENERATED_NAME], body=body)],
        network.name,
        [
            helper.make_tensor_value_info(
                INPUT_NAME, TensorProto.INT64, [BATCH_AXIS, SEQUENCE_AXIS]
            ),
            helper.make_tensor_value_info(COUNT_NAME, TensorProto.INT64, []),
        ],
        [
            helper.make_tensor_value_info(
                GENERATED_NAME, TensorProto.INT64, [BATCH_AXIS, TOTAL_AXIS]
            )
        ],
        initializer=[*network.initializer, *_constants(context_length)],
    )
    result = onnx.ModelProto()
    result.CopyFrom(proto)
    result.graph.CopyFrom(graph)
    onnx.checker.check_model(result, full_check=True)
    return result


def _window() -> list[NodeProto]:
    """ids [B, S] -> window_ids [B, at most context_length]."""
    return [helper.make_node("Slice", ["ids", "window_start", "end", "axis_1"], [_WINDOW])]


def _reading_the_window(nodes: Iterable[NodeProto]) -> list[NodeProto]:
    """Copies of the network's nodes that read the window instead of the whole input."""
    copies: list[NodeProto] = []
    for node in nodes:
        copy = NodeProto()
        copy.CopyFrom(node)
        copy.input[:] = [_WINDOW if name == INPUT_NAME else name for name in node.input]
        copies.append(copy)
    return copies


def _append() -> list[NodeProto]:
    """logits [B, T, V] -> argmax of the last position [B, 1] -> longer_ids [B, S + 1]."""
    return [
        helper.make_node("Slice", [LOGITS_ONLY[0], "last", "end", "axis_1"], ["last_logits"]),
        helper.make_node("ArgMax", ["last_logits"], ["next_id"], axis=2, keepdims=0),
        helper.make_node("Concat", ["ids", "next_id"], ["longer_ids"], axis=1),
        helper.make_node("Identity", ["go_on"], ["go_on_again"]),
    ]


def _constants(context_length: int) -> list[TensorProto]:
    values = {
        "window_start": np.array([-context_length]),
        "last": np.array([-1]),
        "end": np.array([_END]),
        "axis_1": np.array([1]),
    }
    integers = [numpy_helper.from_array(value, name) for name, value in values.items()]
    return [*integers, numpy_helper.from_array(np.array(True), "always")]
