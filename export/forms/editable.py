"""The form whose weights, mask and switches are inputs: an edit needs a run, not an export.

Made from the same traced network as every other form: the parameters are passed through
`torch.func.functional_call`, the gates through `MiniGPT.trace`. It depends on the sizes alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import onnx
import torch
from torch import Tensor, nn
from torch.func import functional_call

from export.graph import INPUT_NAME, batch_axis, finished, sequence_axis, traced_graph
from model.config import MiniGPTConfig
from model.network import MiniGPT
from model.parameters import parameter_shapes
from model.switches import ALL_ON, gate_arrays, gate_axes
from model.trace import trace_shapes

EDITABLE_FORM = "weights, mask and switches are inputs"


class _Trace(nn.Module):
    """Makes `forward`, which `functional_call` calls, the trace."""

    def __init__(self, model: MiniGPT) -> None:
        super().__init__()
        self.model = model

    def forward(self, token_ids: Tensor, gates: dict[str, Tensor]) -> tuple[Tensor, ...]:
        return tuple(self.model.trace(token_ids, gates).values())


class EditableTrace(nn.Module):
    """Token ids, then every parameter, then every gate in; the whole trace out.

    Only the structure of the network inside is used, none of its weights.
    """

    def __init__(self, config: MiniGPTConfig) -> None:
        super().__init__()
        # In a tuple, so that its weights are not registered here and do not become constants.
        self._structure = (_Trace(MiniGPT(**config.as_dict()).eval()),)
        self.parameter_names = tuple(parameter_shapes(config))
        self.gate_names = tuple(gate_axes(config))

    def forward(self, token_ids: Tensor, *given: Tensor) -> tuple[Tensor, ...]:
        """given: the parameters in the order of the state_dict, then the gates in theirs."""
        count = len(self.parameter_names)
        gates = dict(zip(self.gate_names, given[count:], strict=True))
        inside = {
            f"model.{name}": values
            for name, values in zip(self.parameter_names, given[:count], strict=True)
        }
        (structure,) = self._structure
        buffers = dict(structure.named_buffers())  # `strict` needs every tensor by name
        values: tuple[Tensor, ...] = functional_call(
            structure, inside | buffers, (token_ids, gates), strict=True
        )
        return values


def editable_onnx(
    config: MiniGPTConfig, metadata: Mapping[str, str] | None = None
) -> onnx.ModelProto:
    """The graph for a network of these sizes.

    Inputs: `token_ids` int64 [batch, sequence], `parameter_shapes`, `gate_axes`; outputs: the
    trace. All but the ids are float32.

    metadata: of the weights it is shipped with; the sizes are always stated.
    """
    sequence = min(2, config.context_length)
    weights = {name: torch.zeros(shape) for name, shape in parameter_shapes(config).items()}
    gates = {
        name: torch.from_numpy(values)
        for name, values in gate_arrays(ALL_ON, config, sequence).items()
    }
    token_ids = torch.zeros((2, sequence), dtype=torch.int64)
    exported = traced_graph(
        EditableTrace(config),
        args=(token_ids, *weights.values(), *gates.values()),
        input_names=[INPUT_NAME, *weights, *gates],
        output_names=list(trace_shapes(config.num_layers)),
        dynamic_shapes=_dynamic_shapes(config, len(weights)),
    )
    return finished(exported, {**_sizes(config), **(metadata or {}), "form": EDITABLE_FORM})


def _dynamic_shapes(config: MiniGPTConfig, parameters: int) -> tuple[Any, ...]:
    sequence = sequence_axis(config.context_length)
    gates = [
        {place: sequence for place, axis in enumerate(axes) if axis == "T"}
        for axes in gate_axes(config).values()
    ]
    fixed: list[Any] = [None] * parameters
    return ({0: batch_axis(), 1: sequence}, (*fixed, *gates))


def _sizes(config: MiniGPTConfig) -> dict[str, str]:
    sizes = {name: str(value) for name, value in config.as_dict().items()}
    sizes.pop("dropout")  # here an input, as masks
    return sizes
