"""Networks and their traces, as a working is given them."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from export.runtimes import Runner
from export.runtimes.onnx_runtime import onnxruntime_runner
from export.shipped import FILES, trace_file
from model.config import MiniGPTConfig
from model.network import MiniGPT
from model.switches import ALL_ON, Switches, gate_arrays
from model.teaching import TEACHING_CONFIG, teaching_model, teaching_state
from model.working import Source, source_of_numbers

Arrays = dict[str, NDArray[Any]]


def every_prompt() -> Iterator[tuple[int, ...]]:
    """All 30 prompts of the teaching model."""
    for length in (1, 2):
        yield from product(range(5), repeat=length)


def teaching_source(token_ids: Sequence[int], engine: str = "onnxruntime") -> Source:
    """The teaching model's numbers for one prompt, as `engine` computes them."""
    if engine == "torch":
        trace = torch_trace(teaching_model(), token_ids)
    else:
        trace = _without_batch(_shipped()(np.array([token_ids], dtype=np.int64)))
    return source_of_numbers(trace, teaching_state(), TEACHING_CONFIG, tuple(token_ids))


@functools.cache
def every_source(engine: str) -> tuple[Source, ...]:
    """The teaching model's numbers for all 30 prompts, in one run of `engine` a length."""
    model, found = teaching_model(), []
    for length in (1, 2):
        prompts = [ids for ids in every_prompt() if len(ids) == length]
        batch = np.array(prompts, dtype=np.int64)
        if engine == "torch":
            with torch.inference_mode():
                arrays = {n: v.numpy() for n, v in model.trace(torch.from_numpy(batch)).items()}
        else:
            arrays = _shipped()(batch)
        for row, token_ids in enumerate(prompts):
            trace = _of_row(arrays, row)
            found.append(source_of_numbers(trace, teaching_state(), TEACHING_CONFIG, token_ids))
    return tuple(found)


def random_source(
    config: MiniGPTConfig,
    token_ids: Sequence[int],
    switches: Switches = ALL_ON,
    scale: float = 1.0,
    seed: int = 0,
) -> Source:
    """A network with random weights in every place, and its numbers for one prompt."""
    torch.manual_seed(seed)
    model = MiniGPT(**config.as_dict()).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.4 * scale)
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    trace = torch_trace(model, token_ids, switches)
    return source_of_numbers(trace, weights, config, tuple(token_ids), switches)


def torch_trace(model: MiniGPT, token_ids: Sequence[int], switches: Switches = ALL_ON) -> Arrays:
    """Every trace value of one prompt, without the batch axis."""
    gates = {
        name: torch.from_numpy(values)
        for name, values in gate_arrays(switches, model.config, len(token_ids)).items()
    }
    with torch.inference_mode():
        values = model.trace(torch.tensor([list(token_ids)]), gates if switches.active else None)
    return _without_batch({name: value.detach().numpy() for name, value in values.items()})


@functools.cache
def _shipped() -> Runner:
    return onnxruntime_runner(FILES / trace_file("teaching"))


def _without_batch(arrays: Arrays) -> Arrays:
    return _of_row(arrays, 0)


def _of_row(arrays: Arrays, row: int) -> Arrays:
    return {
        name: values if name == "position_embeddings" else values[row]
        for name, values in arrays.items()
    }
