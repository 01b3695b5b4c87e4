"""Graphs of a network whose sizes were exported before: the weights are put into a template.

torch's exporter takes seconds, and what it makes depends on the sizes alone. A template is the
trace form of any weights of these sizes, in which every initializer that holds a parameter is
named after it. Comparing a filled graph with PyTorch is left to `export.shipped.prove`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from export.graph import LOGITS_ONLY, finished, to_onnx
from model.config import MiniGPTConfig
from model.network import MiniGPT
from model.parameters import Weights, parameter_shapes
from model.shipped import SHIPPED
from model.trace import trace_shapes

FILES = Path(__file__).parent.parent / "files"
TRANSPOSED = ".transposed"
_SEED = 0


class NoTemplateError(ValueError):
    """A parameter is in no initializer of its own, or in several."""


def template(config: MiniGPTConfig) -> onnx.ModelProto:
    """A template for these sizes: from a shipped file if there is one, else exported now.

    Raises:
        NoTemplateError: the exporter left a parameter out, or merged it with another value.
    """
    return _shipped(config) or exported_template(config)


def filled(made_before: onnx.ModelProto, weights: Weights) -> onnx.ModelProto:
    """A copy of the template with these weights: the trace form, without metadata.

    weights: every parameter by state_dict name, float32.
    """
    proto = onnx.ModelProto()
    proto.CopyFrom(made_before)
    for tensor in proto.graph.initializer:
        name = tensor.name.removesuffix(TRANSPOSED)
        if name in weights:
            values = weights[name].T if tensor.name != name else weights[name]
            tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(values), tensor.name))
    return proto


def logits_only(trace: onnx.ModelProto) -> onnx.ModelProto:
    """The plain form: of a trace form, what leads to the logits."""
    proto = onnx.ModelProto()
    proto.CopyFrom(trace)
    graph = proto.graph
    needed = set(LOGITS_ONLY)
    nodes = []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            nodes.append(node)
            needed.update(node.input)
    kept = {
        "node": nodes[::-1],
        "initializer": [tensor for tensor in graph.initializer if tensor.name in needed],
        "output": [value for value in graph.output if value.name in LOGITS_ONLY],
    }
    for name, values in kept.items():
        copies = [type(value).FromString(value.SerializeToString()) for value in values]
        del getattr(graph, name)[:]
        getattr(graph, name).extend(copies)
    return proto


def forms_of(
    made_before: onnx.ModelProto, weights: Weights, metadata: Mapping[str, str]
) -> tuple[bytes, bytes]:
    """The plain form and the trace form of these weights, checked."""
    trace = filled(made_before, weights)
    plain = finished(logits_only(trace), metadata)
    return plain.SerializeToString(), finished(trace, metadata).SerializeToString()


def exported_template(config: MiniGPTConfig) -> onnx.ModelProto:
    """A template that is exported now.

    Its weights are all different, because the exporter merges initializers that are equal.

    Raises:
        NoTemplateError: see `template`.
    """
    draw = np.random.default_rng(_SEED)
    weights = {
        name: draw.normal(size=shape).astype(np.float32)
        for name, shape in parameter_shapes(config).items()
    }
    model = MiniGPT(**config.as_dict()).eval()
    model.load_state_dict({name: torch.from_numpy(values) for name, values in weights.items()})
    return _named(to_onnx(model, tuple(trace_shapes(config.num_layers))), weights)


def _shipped(config: MiniGPTConfig) -> onnx.ModelProto | None:
    """From the trace file of a shipped model of these sizes, if its weights are all different."""
    sizes = replace(config, dropout=0.0)
    for name, shipped in SHIPPED.items():
        path, weights = FILES / f"mini_gpt_{name}_trace.onnx", shipped.weights()
        if parameter_shapes(sizes) != {key: array.shape for key, array in weights.items()}:
            continue
        try:
            proto = onnx.load(path)
            # Equal shapes do not tell the number of heads.
            if _stated(proto) == sizes.num_heads:
                return _named(proto, weights)
        except (OSError, NoTemplateError):
            continue
    return None


def _stated(proto: onnx.ModelProto) -> int:
    return next(int(entry.value) for entry in proto.metadata_props if entry.key == "num_heads")


def _named(proto: onnx.ModelProto, weights: Weights) -> onnx.ModelProto:
    """`proto` with each parameter's initializer under its name.

    Raises:
        NoTemplateError: see `template`.
    """
    names: dict[str, str] = {}
    outputs = {value.name for value in proto.graph.output}
    for tensor in proto.graph.initializer:
        if tensor.name in outputs:  # with one position, its embedding is a value of the trace
            continue
        values = numpy_helper.to_array(tensor)
        for name, array in weights.items():
            if np.array_equal(values, array):
                names.setdefault(tensor.name, name)
            elif array.ndim == 2 and np.array_equal(values, array.T):
                names.setdefault(tensor.name, name + TRANSPOSED)
    found = sorted(name.removesuffix(TRANSPOSED) for name in names.values())
    if found != sorted(weights):
        raise NoTemplateError(", ".join(sorted(set(weights) ^ set(found))))
    for tensor in proto.graph.initializer:
        tensor.name = names.get(tensor.name, tensor.name)
    for node in proto.graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
    return proto
