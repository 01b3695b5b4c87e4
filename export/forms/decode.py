"""The network with a KV cache: keys and values of earlier tokens are inputs and outputs.

Correct only while the window does not slide. When it does, every token changes its position, so
its cached keys and values are wrong: start again from past length 0 with the whole window
(`export.forms.portable_decoder` does). The file rejects more than `context_length` tokens.
"""

from __future__ import annotations

from collections.abc import Mapping

import onnx
import torch
from torch import Tensor, nn

from export.graph import INPUT_NAME, batch_axis, finished, sequence_axis, traced_graph
from model.network import MiniGPT
from model.values import block_key

PAST_AXIS = "past"
CACHED = ("key", "value")


def cache_names(num_layers: int) -> list[str]:
    """`blocks.{i}.key`, `blocks.{i}.value`: the file's outputs after `logits`, in order.

    Each is [batch, num_heads, past + sequence, head_size]; the matching input is
    `past_name(name)`.
    """
    return [block_key(index, part) for index in range(num_layers) for part in CACHED]


def past_name(name: str) -> str:
    """The input for the output `name` of the previous call: `past.blocks.0.key`."""
    return f"past.{name}"


class CachedTrace(nn.Module):
    """Token ids and the cache in, logits and the extended cache out."""

    def __init__(self, model: MiniGPT) -> None:
        super().__init__()
        self.model = model

    def forward(self, token_ids: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        """past: key and value of block 0, of block 1, …"""
        pairs = list(zip(past[::2], past[1::2], strict=True))
        values = self.model.trace(token_ids, past=pairs)
        names = ["logits", *cache_names(self.model.config.num_layers)]
        return tuple(values[name] for name in names)


def decode_graph(model: MiniGPT, metadata: Mapping[str, str]) -> onnx.ModelProto:
    """`model` as ONNX with a cache; the past may have length 0.

    Inputs: `token_ids` int64 [batch, sequence], `past.blocks.{i}.key` and `.value` float32
    [batch, num_heads, past, head_size]. Outputs: `logits` [batch, sequence, vocab_size] and
    `blocks.{i}.key`, `.value` [batch, num_heads, past + sequence, head_size].
    """
    config = model.config
    names = cache_names(config.num_layers)
    batch, past = batch_axis(), torch.export.Dim(PAST_AXIS, min=0, max=config.context_length)
    # Two tokens after an empty past: an example size of 1 would become the constant 1.
    token_ids = torch.zeros((2, min(2, config.context_length)), dtype=torch.int64)
    # A separate tensor for each input: the exporter merges inputs that share one.
    empty = [torch.zeros((2, config.num_heads, 0, config.head_size)) for _ in names]
    was_training = model.training
    try:
        exported = traced_graph(
            CachedTrace(model.eval()),
            args=(token_ids, *empty),
            input_names=[INPUT_NAME, *map(past_name, names)],
            output_names=["logits", *names],
            dynamic_shapes=(
                {0: batch, 1: sequence_axis(config.context_length)},
                tuple({0: batch, 2: past} for _ in names),
            ),
        )
    finally:
        model.train(was_training)
    return finished(exported, metadata)
