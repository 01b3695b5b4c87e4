"""PyTorch with the user's weights and switches: the reference for the editable form."""

from __future__ import annotations

import numpy as np
import torch

from export.runtimes import Arrays, Ids, Runner, checked
from model.config import MiniGPTConfig
from model.network import MiniGPT
from model.parameters import Weights
from model.switches import ALL_ON, Switches, gate_arrays


def pytorch_editable_runner(
    config: MiniGPTConfig,
    weights: Weights,
    switches: Switches = ALL_ON,
    dtype: torch.dtype = torch.float32,
) -> Runner:
    """A runner of the network with these weights and switches; it returns the whole trace.

    Each runner has its own network: `torch.func.functional_call` would swap the weights of a
    shared one while another thread runs it.

    weights: every parameter, by state_dict name. dtype: the precision of the computation.

    Raises:
        RuntimeError: a parameter is missing, not expected, or of another shape.
    """
    model = MiniGPT(**config.as_dict()).to(dtype).eval()
    state = {name: torch.tensor(np.asarray(values)) for name, values in weights.items()}
    model.load_state_dict(state, strict=True)

    def run(token_ids: Ids) -> Arrays:
        gates = gate_arrays(switches, config, token_ids.shape[1])
        tensors = {name: torch.from_numpy(values).to(dtype) for name, values in gates.items()}
        with torch.inference_mode():
            values = model.trace(
                torch.from_numpy(np.ascontiguousarray(token_ids)),
                tensors if switches.active else None,
            )
        return {name: value.detach().numpy().copy() for name, value in values.items()}

    return checked(run, config.vocab_size, config.context_length)
