"""The traced network without its weights, which are inputs of the graph under their own names.

A graph for speed is rebuilt and its weights are laid out again, so the exporter need not see
them: tracing takes no memory for them, and nothing is stored twice. The exporter gets torch's
meta tensors, which have a shape and no data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import onnx
import torch
from torch import Tensor, nn
from torch.func import functional_call

from export.graph import INPUT_NAME, batch_axis, sequence_axis, traced_graph
from model.config import MiniGPTConfig
from model.network import MiniGPT
from model.parameters import parameter_shapes

MASK_NAME = "causal_mask"


class _Trace(nn.Module):
    """Makes `forward`, which `functional_call` calls, the trace."""

    def __init__(self, model: MiniGPT) -> None:
        super().__init__()
        self.model = model

    def forward(self, token_ids: Tensor) -> dict[str, Tensor]:
        return self.model.trace(token_ids)


class Structure(nn.Module):
    """Token ids, the mask and every parameter in; the trace's `names` out."""

    def __init__(self, config: MiniGPTConfig, names: Sequence[str]) -> None:
        super().__init__()
        with torch.device("meta"):
            model = MiniGPT(**config.as_dict()).eval()
        # In a tuple, so that its weights are not registered here and do not become constants.
        self._trace = (_Trace(model),)
        self.names = tuple(names)
        self.given_names = tuple(given_shapes(config))

    def forward(self, token_ids: Tensor, *given: Tensor) -> tuple[Tensor, ...]:
        """given: in the order of `given_shapes`."""
        tensors = {
            f"model.{name}": tensor for name, tensor in zip(self.given_names, given, strict=True)
        }
        values = functional_call(self._trace[0], tensors, (token_ids,), strict=True)
        return tuple(values[name] for name in self.names)


def given_shapes(config: MiniGPTConfig) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the graph's inputs after `token_ids`."""
    mask = (config.context_length, config.context_length)
    return {MASK_NAME: mask, **parameter_shapes(config)}


def structure_graph(config: MiniGPTConfig, names: Sequence[str]) -> onnx.ModelProto:
    """The network of these sizes as the exporter's ONNX, without weights.

    Inputs: `token_ids` int64 [batch, sequence], then `given_shapes`. Outputs: the trace's
    `names`, which are therefore also the names of those values inside the graph.
    """
    given = given_shapes(config)
    token_ids = torch.zeros((2, min(2, config.context_length)), dtype=torch.int64, device="meta")
    sequence: dict[int, Any] = {0: batch_axis(), 1: sequence_axis(config.context_length)}
    return traced_graph(
        Structure(config, names),
        args=(token_ids, *(torch.zeros(shape, device="meta") for shape in given.values())),
        input_names=[INPUT_NAME, *given],
        output_names=list(names),
        # An empty dictionary means "no dynamic axis"; a tuple of None would be taken for a list.
        dynamic_shapes=(sequence, tuple({} for _ in given)),
    )
