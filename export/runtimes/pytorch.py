"""PyTorch: the reference that every other engine is compared with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from export.runtimes import Arrays, Ids, Runner, checked
from model.arrays import as_array
from model.network import MiniGPT


def pytorch_runner(model: MiniGPT, names: Sequence[str] | None = None) -> Runner:
    """A runner that returns the trace's `names`, or the whole trace.

    `model` is used as it is: call `model.eval()` first, or dropout affects the numbers.
    """

    def run(token_ids: Ids) -> Arrays:
        with torch.inference_mode():
            values = model.trace(torch.from_numpy(np.ascontiguousarray(token_ids)))
        # Copied: some values are views of weights, which training changes in place.
        return {name: as_array(values[name]).copy() for name in names or values}

    return checked(run, model.config.vocab_size, model.config.context_length)
