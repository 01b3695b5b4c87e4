"""A lower bound: a step must read its weights and its KV cache, and this only reads them.

It reads as many bytes as `model.cost` counts for the step, as float32, with the same number of
threads: a matrix-vector product over rows of 4,096 numbers, the fastest way found to read memory
from Python (a plain sum took longer). The memory is allocated by NumPy, which uses huge pages.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any

import numpy as np
import torch

from bench.peers.declaration import HERE, Ids, Peer, PeerSetup
from model.config import MiniGPTConfig
from model.cost import step_cost

ROW = 4096
PEERS = (
    Peer("floor", "floor: reading the bytes once", __name__, HERE, exact=False, only_steps=True),
)


class Floor:
    def __init__(self, config: MiniGPTConfig) -> None:
        self._config = config
        longest = self._rows(config.context_length)
        numbers = np.random.default_rng(0)  # random, so that no two memory pages are shared
        self._memory = torch.from_numpy(numbers.random((longest, ROW), dtype=np.float32))
        self._ones = torch.ones(ROW)
        self._length = 0

    def prefill(self, token_ids: Ids) -> Ids:
        self._length = token_ids.shape[1]
        return np.zeros(len(token_ids), dtype=np.int64)

    def step(self) -> Ids:
        self._length += 1
        torch.mv(self._memory[: self._rows(self._length)], self._ones)
        return np.zeros(1, dtype=np.int64)

    def generate(self, token_ids: Ids, count: int) -> None:
        self.prefill(token_ids)
        for _ in range(count):
            self.step()

    def _rows(self, length: int) -> int:
        cost = step_cost(self._config, min(length, self._config.context_length), cached=True)
        return -(-cost.bytes_moved // (4 * ROW))


def load(setup: PeerSetup) -> Any:
    torch.set_num_threads(setup.threads)
    return Floor(MiniGPTConfig(**setup.sizes))


def version() -> str:
    return f"torch {version_of('torch')}"
