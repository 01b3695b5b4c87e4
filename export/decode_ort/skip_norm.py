"""An addition and the LayerNorm that follows it as one node, for ONNX Runtime.

`SkipLayerNormalization` (com.microsoft) takes two vectors and a bias and outputs their sum and
the sum's LayerNorm: two nodes fewer for every half of a block, which matters in a tiny network.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from onnx import NodeProto, helper

from export.decode_ort.node_list import NodeList

MICROSOFT = "com.microsoft"
_NORM, _SUM = "LayerNormalization", "Add"


def fuse_skip_norms(nodes: NodeList, parameters: AbstractSet[str]) -> None:
    """Fuse every LayerNormalization whose input is a sum of two computed values.

    parameters: the names of weights; adding one of them is a bias, which is fused too.
    """
    for norm in nodes:
        if norm.op_type != _NORM or not nodes.computes(norm.input[0]):
            continue
        addition = nodes.producer(norm.input[0])
        if addition.op_type == _SUM and not parameters & set(addition.input):
            _fuse(nodes, norm, addition, parameters)


def _fuse(
    nodes: NodeList, norm: NodeProto, addition: NodeProto, parameters: AbstractSet[str]
) -> None:
    residual, update = addition.input
    bias: list[str] = []
    biased = nodes.producer(update)
    if biased.op_type == _SUM and parameters & set(biased.input):
        (name,) = parameters & set(biased.input)
        (update,) = set(biased.input) - {name}
        bias = [name]
    epsilon = [item for item in norm.attribute if item.name == "epsilon"]
    fused = helper.make_node(
        "SkipLayerNormalization",
        [residual, update, *norm.input[1:3], *bias],
        [norm.output[0], "", "", addition.output[0]],
        domain=MICROSOFT,
    )
    fused.attribute.extend(epsilon)
    # In the place of the sum: other nodes may read it before the norm.
    nodes.drop(norm)
    nodes.replace(addition.output[0], fused)
