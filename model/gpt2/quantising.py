"""What matrices in 8 bits change: measured on prompts, for the card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.gpt2.graph import quantised
from model.gpt2.names import HEAD, body
from model.parameters import Weights, is_large

Array = NDArray[Any]
Logits = Callable[[Weights, NDArray[np.int64]], Array]
"""Weights under our names, ids [batch, sequence] -> logits [batch, sequence, vocab_size]."""

_PROMPTS, _LONGEST = 256, 64


@dataclass(frozen=True)
class Loss:
    """largest: |difference| of the logits. changed: positions with another most probable word,
    of `positions`."""

    largest: float
    changed: int
    positions: int


def eight_bit_loss(config: MiniGPTConfig, weights: Weights, logits: Logits) -> Loss:
    """The loss on seeded prompts, with the weights as the 8-bit file holds them."""
    count = 1 if is_large(config) else _PROMPTS
    shape = (count, min(config.context_length, _LONGEST))
    prompts = np.random.default_rng(0).integers(0, config.vocab_size, shape)
    exact, coarse = logits(weights, prompts), logits(eight_bits(config, weights), prompts)
    changed = exact.argmax(-1) != coarse.argmax(-1)
    return Loss(float(np.abs(exact - coarse).max()), int(changed.sum()), changed.size)


def eight_bits(config: MiniGPTConfig, weights: Weights) -> dict[str, Array]:
    """The weights after rounding the matrices of blocks and head to 8 bits."""
    matrices = {HEAD, *(entry.ours for entry in body(config.num_layers) if entry.is_matrix)}
    rounded = dict(weights)
    for name in matrices:
        whole, scale = quantised(np.asarray(weights[name]).T)
        rounded[name] = np.ascontiguousarray((whole * scale).T)
    return rounded
