"""`expected.json`: every trace value for every prompt of the lesson's model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from export.compare import ABSOLUTE_BOUND
from export.runtimes.pytorch import pytorch_runner
from export.shipped import all_prompts
from model.network import MiniGPT
from model.teaching import teaching_model
from model.trace import trace_shapes
from model.vocabulary import LESSON_WORDS, Vocabulary

DECIMALS = 9


def expected_values() -> dict[str, Any]:
    """Words, axes, the tolerance for float32 engines, and 30 prompts with all their values.

    Computed in float64, rounded to DECIMALS; no batch axis; a masked score is null.
    """
    import torch

    model = teaching_model(torch.float64)
    config, vocabulary = model.config, LESSON_WORDS
    shapes = {
        name: [axis for axis in axes if axis != "B"]
        for name, axes in trace_shapes(config.num_layers).items()
    }
    return {
        "weights": "teaching",
        "words": list(vocabulary.words),
        "axes": shapes,
        "decimals": DECIMALS,
        "bound": ABSOLUTE_BOUND,
        "prompts": [
            _prompt(model, vocabulary, ids)
            for prompts in all_prompts(config.vocab_size, config.context_length)
            for ids in prompts
        ],
    }


def _prompt(model: MiniGPT, vocabulary: Vocabulary, ids: NDArray[np.int64]) -> dict[str, Any]:
    axes = trace_shapes(model.config.num_layers)
    values = pytorch_runner(model)(ids[None])
    return {
        "tokens": vocabulary.decode(ids),
        "token_ids": ids.tolist(),
        "values": {
            name: _rounded(value[0] if axes[name][0] == "B" else value)
            for name, value in values.items()
        },
    }


def _rounded(array: NDArray[Any]) -> Any:
    """Nested lists; minus infinity as None."""
    if array.ndim:
        return [_rounded(part) for part in array]
    value = round(float(array), DECIMALS)
    return None if np.isneginf(value) else value + 0.0  # no minus zero
