"""Other forms of the traced network, for readers that need a different file.

Each form is the traced graph plus one pass; none defines the network again. `FORMS` names
them; `python -m export --form NAME` writes one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import onnx
import torch

from export.decode_ort.file import EIGHT_BIT_FORM, FORM, decode_ort, decode_ort_int8
from export.forms.decode import decode_graph
from export.forms.generate import with_greedy_loop
from export.forms.no_layer_norm import without_layer_norm
from export.forms.spare_words import with_spare_words
from export.graph import INPUT_NAME, LOGITS_ONLY, TraceOutputs, finished, to_onnx, traced_graph
from model.network import MiniGPT
from model.trace import trace_shapes

Metadata = Mapping[str, str]
Build = Callable[[MiniGPT, Metadata], onnx.ModelProto]


@dataclass(frozen=True)
class Form:
    """One way to write the network to a file.

    suffix: the end of the file's name before `.onnx`. use: one of `export.parity.record`, or
        "trace", or "decode-ort" (for `export.decode_ort.decoder` only).
    """

    name: str
    suffix: str
    use: str
    build: Build


def _plain(model: MiniGPT, metadata: Metadata) -> onnx.ModelProto:
    return to_onnx(model, LOGITS_ONLY, metadata)


def _trace(model: MiniGPT, metadata: Metadata) -> onnx.ModelProto:
    return to_onnx(model, _all_names(model), metadata)


def _static(model: MiniGPT, metadata: Metadata) -> onnx.ModelProto:
    return static_graph(model, LOGITS_ONLY, metadata)


def _static_trace(model: MiniGPT, metadata: Metadata) -> onnx.ModelProto:
    return static_graph(model, _all_names(model), metadata)


def _static_16_words(model: MiniGPT, metadata: Metadata) -> onnx.ModelProto:
    return with_spare_words(_static(model, metadata), max(16, model.config.vocab_size))


def _no_layer_norm(model: MiniGPT, metadata: Metadata) -> onnx.ModelProto:
    return without_layer_norm(_plain(model, metadata))


def _no_layer_norm_trace(model: MiniGPT, metadata: Metadata) -> onnx.ModelProto:
    return without_layer_norm(_trace(model, metadata))


def _no_layer_norm_decode(model: MiniGPT, metadata: Metadata) -> onnx.ModelProto:
    return without_layer_norm(decode_graph(model, metadata))


def _generate(model: MiniGPT, metadata: Metadata) -> onnx.ModelProto:
    return with_greedy_loop(_plain(model, metadata), model.config.context_length)


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form("plain", "", "logits", _plain),
        Form("trace", "_trace", "trace", _trace),
        Form("static", "_static", "logits", _static),
        Form("static-trace", "_static_trace", "trace", _static_trace),
        Form("static-16-words", "_static_16_words", "logits", _static_16_words),
        Form("no-layernorm", "_no_layernorm", "logits", _no_layer_norm),
        Form("no-layernorm-trace", "_no_layernorm_trace", "trace", _no_layer_norm_trace),
        Form("no-layernorm-decode", "_no_layernorm_decode", "decode", _no_layer_norm_decode),
        Form("decode", "_decode", "decode", decode_graph),
        Form("generate", "_generate", "generate", _generate),
        Form(FORM, "_decode_ort", FORM, decode_ort),
        Form(EIGHT_BIT_FORM, "_decode_ort_int8", FORM, decode_ort_int8),
    )
}
"""`plain`: logits. `trace`: every value. `static`: one prompt of exactly context_length tokens,
shorter ones padded on the right. `static-16-words`: the same, with spare rows in the token
table. `no-layernorm`: LayerNorm as arithmetic. `decode`: keys and values of earlier tokens are
inputs and outputs. `generate`: greedy decoding inside the graph. `decode-ort`: fast decoding in
ONNX Runtime with `export.decode_ort.decoder`; `-int8`: with 8-bit weights."""


def form_file(weights: str, form: str) -> str:
    """File name of the weights `weights` in `form`."""
    return f"mini_gpt_{weights}{FORMS[form].suffix}.onnx"


def static_graph(model: MiniGPT, names: tuple[str, ...], metadata: Metadata) -> onnx.ModelProto:
    """The network for one prompt of exactly context_length tokens, without dynamic axes.

    A shorter prompt is padded on the right, which the causal mask hides from its positions.
    """
    was_training = model.training
    try:
        exported = traced_graph(
            TraceOutputs(model.eval(), names),
            args=(torch.zeros((1, model.config.context_length), dtype=torch.int64),),
            input_names=[INPUT_NAME],
            output_names=list(names),
            dynamic_shapes=None,
        )
    finally:
        model.train(was_training)
    return finished(exported, metadata)


def _all_names(model: MiniGPT) -> tuple[str, ...]:
    return tuple(trace_shapes(model.config.num_layers))
