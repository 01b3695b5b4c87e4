"""A graph whose weights are laid out for one engine, and writing them to its file.

The weights stay out of the graph until the end, so that a large network is never in memory
twice: each is taken from the model, rearranged, written and released.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from export.decode_ort.interface import data_file
from export.decode_ort.node_list import NodeList
from export.graph import finished
from model.parameters import check_values
from model.whole_file import whole_file, write_whole

Array = NDArray[Any]
Weights = Mapping[str, Array]

EMBEDDED_LIMIT = 1024  # bytes up to which a weight is stored in the graph's file
PAGE = 4096  # weights are page-aligned, so that a reader can map them


@dataclass(frozen=True)
class Layout:
    """How one initializer is made from a parameter: `arrange(weights[source])`.

    dtype, shape: of the result.
    """

    source: str
    shape: tuple[int, ...]
    dtype: type[np.generic] = np.float32
    arrange: Callable[[Array], Array] = np.asarray

    def transposed(self) -> Layout:
        """The layout of the transposed matrix."""
        arrange = self.arrange
        return replace(self, shape=self.shape[::-1], arrange=lambda array: arrange(array).T)

    def make(self, weights: Weights) -> Array:
        """The initializer's values, in C order.

        Raises:
            InputError: a weight is not float32, or a value of it is not finite.
            ValueError: the shape or dtype is not what the graph was built for.
        """
        check_values({self.source: weights[self.source]})
        array = np.ascontiguousarray(self.arrange(weights[self.source]))
        if array.shape != self.shape or array.dtype != self.dtype:
            raise ValueError(
                f"{self.source}: {array.dtype} {array.shape}, "
                f"the graph takes {np.dtype(self.dtype)} {self.shape}"
            )
        return array


@dataclass(frozen=True)
class StoredGraph:
    """A graph without weights, and the layout of each initializer it needs."""

    nodes: tuple[NodeProto, ...]
    constants: tuple[TensorProto, ...]
    layouts: Mapping[str, Layout]
    inputs: tuple[ValueInfoProto, ...]
    outputs: tuple[ValueInfoProto, ...]
    opsets: tuple[onnx.OperatorSetIdProto, ...]

    def proto(self, metadata: Mapping[str, str]) -> onnx.ModelProto:
        """The graph with its weights as inputs, finished as by `export.graph.finished`."""
        declared = [
            helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(np.dtype(layout.dtype)), layout.shape
            )
            for name, layout in self.layouts.items()
        ]
        graph = helper.make_graph(
            self.nodes, "mini_gpt", [*self.inputs, *declared], self.outputs, self.constants
        )
        return finished(helper.make_model(graph, opset_imports=self.opsets), metadata)


def fold_transposes(nodes: NodeList, layouts: Mapping[str, Layout]) -> dict[str, Layout]:
    """Remove the transpositions of weights from `nodes`: they are stored transposed instead.

    Raises:
        ValueError: another node reads such a weight too, so it can't be stored transposed.
    """
    result = dict(layouts)
    for node in nodes:
        if node.op_type == "Transpose" and node.input[0] in result:
            name = node.input[0]
            nodes.reader(name)  # raises if there are several
            nodes.bypass(node)
            result[name] = result[name].transposed()
    return {name: layout for name, layout in result.items() if name in nodes.read_values()}


def embedded(graph: StoredGraph, weights: Weights, metadata: Mapping[str, str]) -> onnx.ModelProto:
    """The graph with embedded weights: for a network that fits into a protobuf (2 GB)."""
    proto = graph.proto(metadata)
    _drop_declared(proto, graph)
    for name, layout in graph.layouts.items():
        proto.graph.initializer.append(numpy_helper.from_array(layout.make(weights), name))
    return proto


def write(
    graph: StoredGraph, weights: Weights, metadata: Mapping[str, str], path: Path
) -> list[Path]:
    """Write `path` with the graph and, beside it, `<path>.data` with the weights.

    Returns the files written. A reader needs both in the same folder.
    """
    proto = graph.proto(metadata)
    _drop_declared(proto, graph)
    data_path = data_file(path)
    location = os.fsencode(data_path.name).decode()  # as UTF-8, whatever the locale
    with whole_file(data_path) as data:
        for name, layout in graph.layouts.items():
            array = layout.make(weights)
            if array.nbytes <= EMBEDDED_LIMIT:
                proto.graph.initializer.append(numpy_helper.from_array(array, name))
                continue
            data.write(bytes(-data.tell() % PAGE))
            proto.graph.initializer.append(_outside(name, array, location, data.tell()))
            array.tofile(data)
    write_whole(path, proto.SerializeToString())
    return [path, data_path]


def _outside(name: str, array: Array, location: str, offset: int) -> TensorProto:
    tensor = TensorProto(
        name=name,
        dims=array.shape,
        data_type=helper.np_dtype_to_tensor_dtype(array.dtype),
        data_location=TensorProto.EXTERNAL,
    )
    about = {"location": location, "offset": str(offset), "length": str(array.nbytes)}
    for key, value in about.items():
        tensor.external_data.add(key=key, value=value)
    return tensor


def _drop_declared(proto: onnx.ModelProto, graph: StoredGraph) -> None:
    kept = [value for value in proto.graph.input if value.name not in graph.layouts]
    del proto.graph.input[:]
    proto.graph.input.extend(kept)
