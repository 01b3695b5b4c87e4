"""The decode form for ONNX Runtime on a CPU: one fused attention node per block, in-place cache.

Made from the traced network by a pass that keeps every other node: the nodes between the
query-key-value projection and `heads_joined` become one GroupQueryAttention (com.microsoft),
which writes the new keys and values into a buffer of `context_length` rows that the caller
owns, instead of returning a longer copy. Positions are an input, since the buffer's length no
longer determines them, and only the last position reaches `lm_head`.

GroupQueryAttention requires head sizes divisible by 8. Other heads are padded with zero
channels, which add nothing to a score and nothing to the head's output.

Two more changes let ONNX Runtime use the fastest path through that node; the results are equal
up to rounding. 1 / sqrt(head_size) is folded into the query's weights, since only a product
without a factor is computed directly from the cache (with one, the keys are copied first); and,
unless the context is short, each softmax gets a head sink, one more score of minus infinity,
whose probability is zero: with a sink the node multiplies whole matrices instead of tiles. On two
cores the attention of a 256-word prompt takes half the time, and that of a step at 512 words
0.6 of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from onnx import TensorProto, ValueInfoProto, helper, numpy_helper

from export.decode_ort.interface import (
    CACHED,
    LAST_LOGITS,
    LAST_POSITION,
    POSITIONS,
    TOKEN_IDS,
    TOTAL_LENGTH,
    cache_names,
    cache_shape,
    past_name,
    stored_head_size,
)
from export.decode_ort.node_list import NodeList
from export.decode_ort.skip_norm import MICROSOFT, fuse_skip_norms
from export.decode_ort.stored_weights import Array, Layout, StoredGraph, fold_transposes
from export.decode_ort.structure import structure_graph
from export.graph import BATCH_AXIS, SEQUENCE_AXIS
from model.config import MiniGPTConfig
from model.parameters import parameter_shapes
from model.values import block_key

FUSED_NORMS_UP_TO = 64
"""Channels up to which an addition and its LayerNorm are fused. For a tiny network the number of
nodes matters most; for 256 channels and more ONNX Runtime's two nodes take half the time of its
fused one at one row, and a tenth at eight."""

SHORT_CONTEXT = 64
"""Words of context up to which tiles are faster, by a twentieth of a tiny network's step."""

_LAST = "last"  # the constant -1: the last of a row of positions
_NO_SINK = "no_sink"  # [num_heads], minus infinity: exp of it adds nothing to a softmax


def decode_ort_graph(config: MiniGPTConfig) -> StoredGraph:
    """The graph for a network of these sizes, and how its weights are stored.

    Inputs: `token_ids` int64 [batch, sequence]; `positions` int64 [sequence]; `last_position`
    int32 [batch], the last token's position (the same for every row); `total_length` int32
    [], one more than that; `past.blocks.{i}.key`, `.value` float32
    [batch, num_heads, context_length, stored_head_size].
    Outputs: `last_logits` float32 [batch, vocab_size]; `blocks.{i}.key`, `.value`, to be bound
    to the buffers of the inputs.
    With several rows in the batch ONNX Runtime accepts one token at a time after the first call.
    """
    traced = structure_graph(config, _named_values(config))
    nodes = NodeList(traced.graph.node)
    for index in range(config.num_layers):
        _fuse_attention(nodes, config, index)
    _take_positions(nodes)
    _keep_last_position(nodes, config)
    if config.model_dim <= FUSED_NORMS_UP_TO:
        fuse_skip_norms(nodes, parameter_shapes(config).keys())
    nodes.prune([LAST_LOGITS])
    layouts = fold_transposes(nodes, _layouts(config))
    used = nodes.read_values()
    constants = {_LAST: np.array(-1), _NO_SINK: np.full(config.num_heads, -np.inf, np.float32)}
    return StoredGraph(
        nodes=tuple(nodes),
        constants=(
            *(tensor for tensor in traced.graph.initializer if tensor.name in used),
            *(numpy_helper.from_array(constants[name], name) for name in constants if name in used),
        ),
        layouts=layouts,
        inputs=tuple(_inputs(config)),
        outputs=tuple(_outputs(config)),
        opsets=(*traced.opset_import, helper.make_opsetid(MICROSOFT, 1)),
    )


def _named_values(config: MiniGPTConfig) -> list[str]:
    """The values whose producer nodes the pass looks up."""
    parts = ("query", "heads_joined")
    blocks = [block_key(index, part) for index in range(config.num_layers) for part in parts]
    return ["position_embeddings", *blocks, _after_attention(config), "logits"]


def _after_attention(config: MiniGPTConfig) -> str:
    return block_key(config.num_layers - 1, "residual_after_attention")


def _fuse_attention(nodes: NodeList, config: MiniGPTConfig, index: int) -> None:
    """Replace everything from the split of Q, K and V up to `heads_joined` by one node."""
    split = nodes.ancestor(block_key(index, "query"), "Split")
    joined = block_key(index, "heads_joined")
    names = [block_key(index, part) for part in CACHED]
    caches = map(past_name, names)
    no_rotation_positions_or_bias = ("",) * 4
    fused = helper.make_node(
        "GroupQueryAttention",
        [
            *(split.input[0], "", ""),  # query, key and value in one
            *(*caches, LAST_POSITION, TOTAL_LENGTH),
            *((*no_rotation_positions_or_bias, _NO_SINK) if _in_whole_matrices(config) else ()),
        ],
        [joined, *names],
        domain=MICROSOFT,
        num_heads=config.num_heads,
        kv_num_heads=config.num_heads,
        scale=1.0,  # see _scaled_queries
    )
    nodes.replace(joined, fused)


def _in_whole_matrices(config: MiniGPTConfig) -> bool:
    return config.context_length > SHORT_CONTEXT


def _take_positions(nodes: NodeList) -> None:
    """Take the rows of the position table from an input instead of the number of tokens."""
    value = "position_embeddings"
    table = nodes.producer(value).input[0]
    nodes.replace(value, helper.make_node("Gather", [table, POSITIONS], [value]))


def _keep_last_position(nodes: NodeList, config: MiniGPTConfig) -> None:
    """[batch, sequence, C] -> [batch, C] as soon as no node needs the other positions.

    That is after the last block's attention, which needs them only as keys and values.
    """
    joined = block_key(config.num_layers - 1, "heads_joined")
    projection = nodes.reader(joined)
    addition = nodes.producer(_after_attention(config))
    (residual,) = set(addition.input) - set(projection.output)
    for reader, value in ((projection, joined), (addition, residual)):
        last = f"{value}.last"
        gather = helper.make_node("Gather", [value, _LAST], [last], axis=1)
        nodes.insert_before(reader.output[0], gather)
        reader.input[:] = [last if name == value else name for name in reader.input]
    nodes.producer("logits").output[0] = LAST_LOGITS


def _layouts(config: MiniGPTConfig) -> dict[str, Layout]:
    """The layouts of the state_dict, except for the heads' width and the queries' scale."""
    layouts = {name: Layout(name, shape) for name, shape in parameter_shapes(config).items()}
    stored = config.num_heads * stored_head_size(config)
    for index in range(config.num_layers):
        qkv = block_key(index, "attention.qkv.weight")
        output = block_key(index, "attention.output.weight")
        layouts[qkv] = Layout(
            qkv, (3 * stored, config.model_dim), arrange=partial(_scaled_queries, config=config)
        )
        layouts[output] = Layout(
            output, (config.model_dim, stored), arrange=partial(_widen_columns, config=config)
        )
    return layouts


def _scaled_queries(weight: Array, config: MiniGPTConfig) -> Array:
    """[3 * H * D, C] -> [3 * H * stored_head_size, C], the first third times 1 / sqrt(D)."""
    widened = _widen_rows(weight, config)  # a copy
    widened[: len(widened) // 3] *= config.head_size**-0.5  # the unpadded head size
    return widened


def _widen_rows(weight: Array, config: MiniGPTConfig) -> Array:
    """[n * H * D, C] -> [n * H * stored_head_size, C]: rows of zeros at the end of each head."""
    heads = weight.reshape(-1, config.head_size, weight.shape[1])
    extra = stored_head_size(config) - config.head_size
    return np.pad(heads, ((0, 0), (0, extra), (0, 0))).reshape(-1, weight.shape[1])


def _widen_columns(weight: Array, config: MiniGPTConfig) -> Array:
    """[C, H * D] -> [C, H * stored_head_size]: zero columns for the padding of each head."""
    return _widen_rows(weight.T, config).T


def _inputs(config: MiniGPTConfig) -> list[ValueInfoProto]:
    return [
        helper.make_tensor_value_info(TOKEN_IDS, TensorProto.INT64, [BATCH_AXIS, SEQUENCE_AXIS]),
        helper.make_tensor_value_info(POSITIONS, TensorProto.INT64, [SEQUENCE_AXIS]),
        helper.make_tensor_value_info(LAST_POSITION, TensorProto.INT32, [BATCH_AXIS]),
        helper.make_tensor_value_info(TOTAL_LENGTH, TensorProto.INT32, []),
        *_caches(config, [past_name(name) for name in cache_names(config.num_layers)]),
    ]


def _outputs(config: MiniGPTConfig) -> list[ValueInfoProto]:
    shape: list[str | int | None] = [BATCH_AXIS, config.vocab_size]
    return [
        helper.make_tensor_value_info(LAST_LOGITS, TensorProto.FLOAT, shape),
        *_caches(config, cache_names(config.num_layers)),
    ]


def _caches(config: MiniGPTConfig, names: Sequence[str]) -> list[ValueInfoProto]:
    shape: list[str | int | None] = [BATCH_AXIS, *cache_shape(config, batch=1)[1:]]
    return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in names]
