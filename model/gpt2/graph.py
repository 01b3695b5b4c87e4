"""The network as the ONNX file that optimum, transformers.js and onnxruntime-genai expect.

Inputs `input_ids`, `attention_mask` (0: padding), `position_ids` and the keys and values of
earlier tokens; outputs `logits` and all keys and values. Each block is one call of the function
`Block`, so that a viewer shows a block as one node that can be opened; runtimes inline it.

Written node by node: the forms of `export` are traced from the network, which takes torch and
seconds. Their parity tests hold for this file too. It is here and not in `export/`, which imports
`model/`, because `save_pretrained` and `push_to_hub` write it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import (
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    ValueInfoProto,
    checker,
    helper,
)

from model.config import LAYER_NORM_EPS, MiniGPTConfig
from model.gpt2.names import BODY, HEAD, block

Array = NDArray[Any]

OPSET, IR_VERSION = 17, 8
DOMAIN = "mini_gpt"
LOWEST = float(np.finfo(np.float32).min)
"""Added to a masked score. Not minus infinity: a row of padding sees no token at all, and the
softmax of only infinities is no number."""

_BATCH, _SEQUENCE, _PAST, _TOTAL = "batch", "sequence", "past", "past_and_sequence"
_BLOCK_WEIGHTS = (
    "ln_1.weight",
    "ln_1.bias",
    "attn.c_attn.weight",
    "attn.c_proj.weight",
    "ln_2.weight",
    "ln_2.bias",
    "mlp.c_fc.weight",
    "mlp.c_fc.bias",
    "mlp.c_proj.weight",
    "mlp.c_proj.bias",
)
_CHECKED = 2**26
"""Bytes up to which a file is checked, which copies it twice; a larger one has the same nodes."""
HEAD_MATRIX = f"{HEAD}.transposed"
"""`lm_head.weight` as [C, V]."""


def gpt2_graph(
    config: MiniGPTConfig,
    tensors: Mapping[str, Array],
    *,
    eight_bits: bool = False,
    with_end: bool = False,
) -> ModelProto:
    """The file for the tensors of `gpt2_tensors`.

    eight_bits: matrices as int8 with one scale for each column; embeddings stay float32.
    with_end: one more logit, LOWEST, for an end of text that never comes; onnxruntime-genai
        demands one and would take a word for it.
    """
    model = helper.make_model(
        GraphProto(name="mini_gpt"),
        functions=[_block_function(config)],
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(DOMAIN, 1)],
        ir_version=IR_VERSION,
        producer_name="mini-gpt",
        producer_version="1.0",
    )
    graph = model.graph  # filled in place: a message given to another one is copied
    graph.input.extend(_inputs(config))
    graph.output.extend(_outputs(config, with_end))
    arrays = {**_used(config, tensors), HEAD_MATRIX: tensors[HEAD].T}
    for name, array in arrays.items():
        if eight_bits and is_quantised(name):
            whole, scale = quantised(array)
            _store(graph, f"{name}.int8", whole)
            _store(graph, f"{name}.scale", scale)
            graph.node.extend(_widened(name))
        else:
            _store(graph, name, array)
    for name, constant in _constants().items():
        _store(graph, name, constant)
    graph.node.extend(_nodes(config))
    if with_end:
        _add_end(graph)
    if sum(array.nbytes for array in arrays.values()) < _CHECKED:
        checker.check_model(model)
    return model


def is_quantised(name: str) -> bool:
    """Whether the 8-bit file holds this weight as int8: the matrices of blocks and head."""
    return name == HEAD_MATRIX or name.endswith(("c_attn.weight", "c_proj.weight", "c_fc.weight"))


def quantised(matrix: Array) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """[in, out] as int8 in [-127, 127] and the scale of each column [out]."""
    largest = np.abs(matrix).max(axis=0)
    scale = np.where(largest > 0, largest / 127, 1).astype(np.float32)
    return np.rint(matrix / scale).clip(-127, 127).astype(np.int8), scale


def cache_inputs(num_layers: int) -> list[str]:
    """`past_key_values.0.key`, `past_key_values.0.value`, …"""
    return [f"past_key_values.{index}.{part}" for index, part in _caches(num_layers)]


def cache_outputs(num_layers: int) -> list[str]:
    """`present.0.key`, `present.0.value`, …"""
    return [f"present.{index}.{part}" for index, part in _caches(num_layers)]


def _caches(num_layers: int) -> Iterator[tuple[int, str]]:
    return ((index, part) for index in range(num_layers) for part in ("key", "value"))


def _used(config: MiniGPTConfig, tensors: Mapping[str, Array]) -> dict[str, Array]:
    """All but the attention biases, which are zero, and the head."""
    names = [f"{BODY}wte.weight", f"{BODY}wpe.weight"]
    for index in range(config.num_layers):
        names += [BODY + block(index, name) for name in _BLOCK_WEIGHTS]
    names += [f"{BODY}ln_f.weight", f"{BODY}ln_f.bias"]
    return {name: tensors[name] for name in names}


def _store(graph: GraphProto, name: str, array: Array) -> None:
    """Add an initializer."""
    tensor = graph.initializer.add()
    tensor.name = name
    tensor.data_type = helper.np_dtype_to_tensor_dtype(array.dtype)
    tensor.dims.extend(array.shape)
    tensor.raw_data = array.tobytes()  # in C order, whatever the array's own


def _widened(name: str) -> list[NodeProto]:
    """The matrix from its 8 bits. Not DequantizeLinear: ONNX Runtime fuses that with the product
    and rounds what the matrix is multiplied with too."""
    cast, product = f"{name}.whole", f"/{name}"
    return [
        helper.make_node("Cast", [f"{name}.int8"], [cast], name=f"/{cast}", to=TensorProto.FLOAT),
        helper.make_node("Mul", [cast, f"{name}.scale"], [name], name=product),
    ]


def _inputs(config: MiniGPTConfig) -> list[ValueInfoProto]:
    past: list[str | int | None] = [_BATCH, config.num_heads, _PAST, config.head_size]
    return [
        helper.make_tensor_value_info("input_ids", TensorProto.INT64, [_BATCH, _SEQUENCE]),
        helper.make_tensor_value_info("attention_mask", TensorProto.INT64, [_BATCH, _TOTAL]),
        helper.make_tensor_value_info("position_ids", TensorProto.INT64, [_BATCH, _SEQUENCE]),
        *(
            helper.make_tensor_value_info(name, TensorProto.FLOAT, past)
            for name in cache_inputs(config.num_layers)
        ),
    ]


def _outputs(config: MiniGPTConfig, with_end: bool) -> list[ValueInfoProto]:
    logits: list[str | int | None] = [_BATCH, _SEQUENCE, config.vocab_size + with_end]
    present: list[str | int | None] = [_BATCH, config.num_heads, _TOTAL, config.head_size]
    return [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, logits),
        *(
            helper.make_tensor_value_info(name, TensorProto.FLOAT, present)
            for name in cache_outputs(config.num_layers)
        ),
    ]


def _add_end(graph: GraphProto) -> None:
    """Extend `logits` by one column, LOWEST."""
    graph.node[-1].output[0] = "word_logits"
    _store(graph, "one_column", np.array([0, 0, 0, 0, 0, 1]))
    graph.node.append(
        helper.make_node("Pad", ["word_logits", "one_column", "masked"], ["logits"], name="/end")
    )


def _constants() -> dict[str, Array]:
    return {
        "zero": np.array(0),
        "one": np.array(1),
        "axis_1": np.array([1]),
        "axes_1_2": np.array([1, 2]),
        "not_masked": np.array(0, np.float32),
        "masked": np.array(LOWEST, np.float32),
    }


def _nodes(config: MiniGPTConfig) -> Iterator[NodeProto]:
    node = helper.make_node
    yield node("Gather", [f"{BODY}wte.weight", "input_ids"], ["token_embeddings"], name="/wte")
    # A position outside the table is an error of the runtime: past the context nothing is silent.
    yield node(
        "Gather", [f"{BODY}wpe.weight", "position_ids"], ["position_embeddings"], name="/wpe"
    )
    yield node(
        "Add", ["token_embeddings", "position_embeddings"], ["residual_0"], name="/residual_0"
    )
    yield from _mask_nodes()
    residual = "residual_0"
    given, returned = cache_inputs(config.num_layers), cache_outputs(config.num_layers)
    caches = zip(given, returned, strict=True)
    for index in range(config.num_layers):
        (past_key, key), (past_value, value) = next(caches), next(caches)
        after = block(index, "residual")
        yield node(
            "Block",
            [
                residual,
                "causal_mask",
                past_key,
                past_value,
                *(BODY + block(index, name) for name in _BLOCK_WEIGHTS),
            ],
            [after, key, value],
            name=f"/h.{index}",
            domain=DOMAIN,
        )
        residual = after
    yield node(
        "LayerNormalization",
        [residual, f"{BODY}ln_f.weight", f"{BODY}ln_f.bias"],
        ["final_hidden"],
        name="/ln_f",
        epsilon=LAYER_NORM_EPS,
    )
    yield node("MatMul", ["final_hidden", HEAD_MATRIX], ["logits"], name="/lm_head")


def _mask_nodes() -> Iterator[NodeProto]:
    """`causal_mask` [batch, 1, sequence, past + sequence]: 0, or LOWEST for what is not seen."""
    steps = (
        ("Shape", ["input_ids"], "input_shape"),
        ("Gather", ["input_shape", "one"], "sequence_length"),
        ("Shape", ["attention_mask"], "mask_shape"),
        ("Gather", ["mask_shape", "one"], "total_length"),
        ("Sub", ["total_length", "sequence_length"], "past_length"),
        ("Range", ["zero", "total_length", "one"], "key_places"),
        ("Range", ["past_length", "total_length", "one"], "places"),
        ("Unsqueeze", ["places", "axis_1"], "query_places"),
        ("LessOrEqual", ["key_places", "query_places"], "is_earlier"),
        ("Unsqueeze", ["attention_mask", "axes_1_2"], "given_mask"),
        ("Greater", ["given_mask", "zero"], "is_word"),
        ("And", ["is_earlier", "is_word"], "is_seen"),
        ("Where", ["is_seen", "not_masked", "masked"], "causal_mask"),
    )
    for operator, inputs, output in steps:
        yield helper.make_node(operator, inputs, [output], name=f"/mask/{output}")


def _block_function(config: MiniGPTConfig) -> FunctionProto:
    """One block; the names of values are those of the trace."""
    channels, heads, size = config.model_dim, config.num_heads, config.head_size
    weights = list(_BLOCK_WEIGHTS)
    steps: list[tuple[str, list[str], list[str], dict[str, Any]]] = [
        ("Constant", [], ["thirds"], {"value_ints": [channels] * 3}),
        ("Constant", [], ["heads_shape"], {"value_ints": [0, 0, heads, size]}),
        ("Constant", [], ["joined_shape"], {"value_ints": [0, 0, channels]}),
        ("Constant", [], ["root"], {"value_float": math.sqrt(size)}),
        ("Constant", [], ["half"], {"value_float": 0.5}),
        ("Constant", [], ["root_2"], {"value_float": math.sqrt(2.0)}),
        ("Constant", [], ["unity"], {"value_float": 1.0}),
        (
            "LayerNormalization",
            ["residual", "ln_1.weight", "ln_1.bias"],
            ["ln1"],
            {"epsilon": LAYER_NORM_EPS},
        ),
        ("MatMul", ["ln1", "attn.c_attn.weight"], ["qkv"], {}),
        ("Split", ["qkv", "thirds"], ["flat_query", "flat_key", "flat_value"], {"axis": -1}),
    ]
    for name in ("query", "key", "value"):
        own = name if name == "query" else f"new_{name}"
        steps += [
            ("Reshape", [f"flat_{name}", "heads_shape"], [f"{name}_heads"], {}),
            ("Transpose", [f"{name}_heads"], [own], {"perm": [0, 2, 1, 3]}),
        ]
    steps += [
        ("Concat", ["past_key", "new_key"], ["key"], {"axis": 2}),
        ("Concat", ["past_value", "new_value"], ["value"], {"axis": 2}),
        ("Transpose", ["key"], ["key_columns"], {"perm": [0, 1, 3, 2]}),
        ("MatMul", ["query", "key_columns"], ["products"], {}),
        ("Div", ["products", "root"], ["scores"], {}),
        ("Add", ["scores", "causal_mask"], ["masked_scores"], {}),
        ("Softmax", ["masked_scores"], ["attention_probs"], {"axis": -1}),
        ("MatMul", ["attention_probs", "value"], ["head_outputs"], {}),
        ("Transpose", ["head_outputs"], ["outputs_by_place"], {"perm": [0, 2, 1, 3]}),
        ("Reshape", ["outputs_by_place", "joined_shape"], ["heads_joined"], {}),
        ("MatMul", ["heads_joined", "attn.c_proj.weight"], ["attention_update"], {}),
        ("Add", ["residual", "attention_update"], ["residual_after_attention"], {}),
        (
            "LayerNormalization",
            ["residual_after_attention", "ln_2.weight", "ln_2.bias"],
            ["ln2"],
            {"epsilon": LAYER_NORM_EPS},
        ),
        ("MatMul", ["ln2", "mlp.c_fc.weight"], ["widened"], {}),
        ("Add", ["widened", "mlp.c_fc.bias"], ["ffn_hidden"], {}),
        # GELU in the order that every engine computes exactly.
        ("Mul", ["ffn_hidden", "half"], ["half_hidden"], {}),
        ("Div", ["ffn_hidden", "root_2"], ["hidden_over_root"], {}),
        ("Erf", ["hidden_over_root"], ["erf"], {}),
        ("Add", ["erf", "unity"], ["erf_plus_1"], {}),
        ("Mul", ["half_hidden", "erf_plus_1"], ["ffn_activation"], {}),
        ("MatMul", ["ffn_activation", "mlp.c_proj.weight"], ["narrowed"], {}),
        ("Add", ["narrowed", "mlp.c_proj.bias"], ["ffn_update"], {}),
        ("Add", ["residual_after_attention", "ffn_update"], ["residual_after_ffn"], {}),
    ]
    return helper.make_function(
        DOMAIN,
        "Block",
        ["residual", "causal_mask", "past_key", "past_value", *weights],
        ["residual_after_ffn", "key", "value"],
        [
            helper.make_node(operator, inputs, outputs, name=f"/{outputs[0]}", **attributes)
            for operator, inputs, outputs, attributes in steps
        ],
        [helper.make_opsetid("", OPSET)],
    )
