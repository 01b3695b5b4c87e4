"""LayerNormalization nodes as basic arithmetic, for readers that don't support the operator."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import NodeProto, helper, numpy_helper

_OPERATOR = "LayerNormalization"  # an operator since opset 17


def without_layer_norm(proto: onnx.ModelProto) -> onnx.ModelProto:
    """A copy of `proto` in which every LayerNormalization is replaced by arithmetic.

    (x - mean) / sqrt(variance + epsilon) * gain + shift over the last axis, variance / C
    (Ba, Kiros, Hinton 2016, section 3). Epsilon becomes an initializer.
    """
    result = onnx.ModelProto()
    result.CopyFrom(proto)
    nodes: list[NodeProto] = []
    epsilons: dict[str, float] = {}
    for node in proto.graph.node:
        nodes += _spelled_out(node, epsilons) if node.op_type == _OPERATOR else [node]
    del result.graph.node[:]
    result.graph.node.extend(nodes)
    result.graph.initializer.extend(
        numpy_helper.from_array(np.array(value, dtype=np.float32), name)
        for name, value in epsilons.items()
    )
    onnx.checker.check_model(result, full_check=True)
    return result


def _spelled_out(node: NodeProto, epsilons: dict[str, float]) -> list[NodeProto]:
    attributes = {item.name: helper.get_attribute_value(item) for item in node.attribute}
    if attributes.get("axis", -1) != -1:
        raise ValueError(f"{node.output[0]}: LayerNormalization over axis {attributes['axis']}")
    epsilon = float(attributes.get("epsilon", 1e-5))
    epsilon_name = f"layer_norm.epsilon_{epsilon:g}"
    epsilons[epsilon_name] = epsilon
    value, gain, shift = node.input
    result = node.output[0]

    def part(name: str) -> str:
        return f"{result}.{name}"

    def mean(of: str, name: str) -> NodeProto:
        # The axes are an attribute up to opset 17.
        return helper.make_node("ReduceMean", [of], [name], axes=[-1], keepdims=1)

    return [
        mean(value, part("mean")),
        helper.make_node("Sub", [value, part("mean")], [part("deviation")]),
        helper.make_node("Mul", [part("deviation"), part("deviation")], [part("squared")]),
        mean(part("squared"), part("variance")),
        helper.make_node("Add", [part("variance"), epsilon_name], [part("shifted_variance")]),
        helper.make_node("Sqrt", [part("shifted_variance")], [part("std")]),
        helper.make_node("Div", [part("deviation"), part("std")], [part("normalized")]),
        helper.make_node("Mul", [part("normalized"), gain], [part("scaled")]),
        helper.make_node("Add", [part("scaled"), shift], [result]),
    ]
