"""The traced network as an ONNX graph that as many runtimes as possible accept.

torch's exporter traces `MiniGPT.trace`; a small pass then removes what readers disagree on.
The reasons for each choice:

- opset 17 and IR version 8 load in ONNX Runtime 1.15 and in most other readers; the exporter
  would write IR 10, which older ones reject.
- GELU is written `(x * 0.5) * (erf(x / sqrt 2) + 1)`: of the equivalent orders, this one was
  computed exactly in every engine tried.
- Node metadata contains absolute paths and source lines; without it the bytes are the same from
  every folder. Attributes equal to the default are dropped for readers that support fewer.
"""

from __future__ import annotations

import json
import logging
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import onnx
import torch
from onnxscript import opset18
from torch import Tensor, nn

from model.config import MiniGPTConfig
from model.network import MiniGPT
from model.parameters import check_values
from model.units import LONGEST
from model.vocabulary import Vocabulary
from model.weights_file import UNIT_KEY, WORDS_KEY

INPUT_NAME = "token_ids"
BATCH_AXIS, SEQUENCE_AXIS = "batch", "sequence"
LOGITS_ONLY = ("logits",)

_WRAPPED = "model."  # prefix of the weights' names in a module that wraps the network

OPSET = 17
IR_VERSION = 8
PRODUCER_NAME, PRODUCER_VERSION = "mini-gpt", "1.0"
IDS_RULE = "give ids from 0 to vocab_size - 1; runtimes read -1 as the last word, without an error"
WINDOW_RULE = "give the last context_length tokens only; their positions count from 0"


class TraceOutputs(nn.Module):
    """Token ids in, the named trace values out, as a module for the exporter."""

    def __init__(self, model: MiniGPT, names: Sequence[str]) -> None:
        super().__init__()
        self.model = model
        self.names = tuple(names)

    def forward(self, token_ids: Tensor) -> tuple[Tensor, ...]:
        """The values of `names`, in that order."""
        values = self.model.trace(token_ids)
        return tuple(values[name] for name in self.names)


def to_onnx(
    model: MiniGPT, names: Sequence[str] = LOGITS_ONLY, metadata: Mapping[str, str] | None = None
) -> onnx.ModelProto:
    """`model` as ONNX: input `token_ids` int64 [batch, sequence], outputs the trace's `names`.

    The model's training mode is restored.

    Raises:
        InputError: a weight is not float32, or a value of it is not finite.
    """
    was_training = model.training
    try:
        # An example size of 1 would become the constant 1, so the example is [2, 2] if possible.
        example = torch.zeros((2, min(2, model.config.context_length)), dtype=torch.int64)
        exported = traced_graph(
            TraceOutputs(model.eval(), names),
            args=(example,),
            input_names=[INPUT_NAME],
            output_names=list(names),
            dynamic_shapes=({0: batch_axis(), 1: sequence_axis(model.config.context_length)},),
        )
    finally:
        model.train(was_training)
    return finished(exported, metadata or {})


def batch_axis() -> Any:
    """The dynamic batch axis, by name."""
    return torch.export.Dim(BATCH_AXIS)


def sequence_axis(context_length: int) -> Any:
    """The dynamic sequence axis; None, a constant axis, if the context is one token."""
    return torch.export.Dim(SEQUENCE_AXIS, max=context_length) if context_length > 1 else None


def traced_graph(
    module: nn.Module,
    args: tuple[Any, ...],
    input_names: Sequence[str],
    output_names: Sequence[str],
    dynamic_shapes: Any,
    opset: int = OPSET,
) -> onnx.ModelProto:
    """`module` as exported by torch, with the project's form of GELU.

    Raises:
        InputError: a weight is not float32, or a value of it is not finite.
        RuntimeError: the exporter kept another opset than the requested one.
    """
    check_values(
        {name.removeprefix(_WRAPPED): value.detach() for name, value in module.named_parameters()}
    )
    with quiet_exporter():
        program = torch.onnx.export(
            module.eval(),
            args,
            dynamo=True,
            opset_version=opset,
            input_names=list(input_names),
            output_names=list(output_names),
            dynamic_shapes=dynamic_shapes,
            custom_translation_table=_translations(),
            verbose=False,
        )
    if program is None:
        raise RuntimeError("torch.onnx.export returned no program")
    proto: onnx.ModelProto = program.model_proto
    opsets = {entry.domain: entry.version for entry in proto.opset_import}
    if opsets.get("") != opset:
        raise RuntimeError(f"asked for opset {opset}, the exporter kept {opsets}")
    return proto


def finished(proto: onnx.ModelProto, metadata: Mapping[str, str]) -> onnx.ModelProto:
    """`proto` cleaned, labelled with its producer and checked: the last step of every form."""
    _strip(proto)
    _rename_initializers(proto.graph)
    proto.ir_version = IR_VERSION
    proto.producer_name, proto.producer_version = PRODUCER_NAME, PRODUCER_VERSION
    proto.graph.name = "mini_gpt"
    onnx.helper.set_model_props(proto, dict(sorted(metadata.items())))
    onnx.checker.check_model(proto, full_check=True)
    return proto


def model_metadata(model: MiniGPT, weights_name: str, vocabulary: Vocabulary) -> dict[str, str]:
    """`metadata_props` of every shipped file: words, sizes, name of the weights, licence."""
    return {**metadata_of(model.config, weights_name, vocabulary), "licence": "MIT"}


def metadata_of(
    config: MiniGPTConfig, weights_name: str, vocabulary: Vocabulary | None
) -> dict[str, str]:
    """`metadata_props` of any model's file: words if known, sizes, name of the weights."""
    sizes = {name: str(value) for name, value in config.as_dict().items()}
    sizes.pop("dropout")  # not part of an exported network
    if vocabulary is not None:
        sizes[WORDS_KEY] = json.dumps(vocabulary.words, ensure_ascii=False)
        if vocabulary.unit != LONGEST:  # the one that files mean that state none
            sizes[UNIT_KEY] = vocabulary.unit
    return {
        **sizes,
        "weights": weights_name,
        "ids": IDS_RULE,
        "window": WINDOW_RULE,
    }


def _translations() -> dict[Callable[..., Any], Callable[..., Any]]:
    op: Any = opset18  # its stubs type tensors by element type, which is unknown here

    def gelu(x: Any, approximate: str = "none") -> Any:
        half = op.Mul(x, op.Constant(value_float=0.5))
        spread = op.Erf(op.Div(x, op.Constant(value_float=math.sqrt(2.0))))
        return op.Mul(half, op.Add(spread, op.Constant(value_float=1.0)))

    return {torch.ops.aten.gelu.default: gelu}


def _strip(proto: onnx.ModelProto) -> None:
    """Remove paths, source lines, intermediate shapes and attributes equal to the default."""
    del proto.metadata_props[:]
    proto.doc_string = ""
    del proto.graph.metadata_props[:]
    del proto.graph.value_info[:]
    proto.graph.doc_string = ""
    for value in (*proto.graph.input, *proto.graph.output):
        del value.metadata_props[:]
    for tensor in proto.graph.initializer:
        del tensor.metadata_props[:]
        tensor.doc_string = ""
    for node in proto.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
        kept = [attribute for attribute in node.attribute if not _is_default(node, attribute)]
        del node.attribute[:]
        node.attribute.extend(kept)


def _is_default(node: onnx.NodeProto, attribute: onnx.AttributeProto) -> bool:
    # allowzero is the meaning of a 0 in the shape; no axis here is ever 0, so 1 equals 0.
    if (node.op_type, attribute.name) == ("Reshape", "allowzero"):
        return True
    return (node.op_type, attribute.name, attribute.i) == ("Gather", "axis", 0)


def _rename_initializers(graph: onnx.GraphProto) -> None:
    """Remove the wrapper's prefix, so that a weight is named as in the state_dict."""
    names = {
        tensor.name: tensor.name.removeprefix(_WRAPPED)
        for tensor in graph.initializer
        if tensor.name.startswith(_WRAPPED)
    }
    for tensor in graph.initializer:
        tensor.name = names.get(tensor.name, tensor.name)
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]


@contextmanager
def quiet_exporter() -> Iterator[None]:
    """Silence the exporter's messages about itself; those about the model are still shown."""
    # "torchvision is not installed"; "opset 18 will be converted" to the requested one.
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnxscript", "onnx_ir")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            # The exporter's own use of a deprecated pytree name.
            warnings.filterwarnings("ignore", ".*LeafSpec.*", FutureWarning)
            # An axis that several inputs share is named by each of them, on purpose.
            warnings.filterwarnings("ignore", ".*axis name: .* will not be used", UserWarning)
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
