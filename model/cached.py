"""Next-word logits from PyTorch with a KV cache: `trace` of the new tokens, on the same network.

To be passed to `model.generate` as `next_logits`. Keys and values are reused for tokens whose
positions have not changed; a window that has slid is recomputed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from model.arrays import as_array
from model.cached_prefix import Ids, reusable
from model.config import check_token_ids
from model.errors import InputError
from model.network import KeyValue, MiniGPT
from model.sampling import Floats
from model.values import block_key


class CachedTorch:
    """last_logits of a window, reusing the keys and values of the previous window.

    For one text, or one batch of texts of equal length, at a time; not thread-safe. The model
    is used as it is: call `model.eval()` first, and create a new `CachedTorch` after its
    weights have changed.
    """

    def __init__(self, model: MiniGPT) -> None:
        self.model = model
        self.config = model.config
        self._seen: Ids = np.zeros((0, 0), dtype=np.int64)
        self._past: list[KeyValue] = []  # one per block; empty when nothing is cached

    def __call__(self, window: Ids) -> Floats:
        """last_logits [batch, vocab_size] of `window` [batch, sequence].

        Raises:
            InputError: not an array, or dtype, rank, length or an id is wrong.
        """
        if not isinstance(window, np.ndarray):
            raise InputError("window_array", kind=type(window).__name__)
        check_token_ids(window, self.config.vocab_size, self.config.context_length)
        kept = reusable(self._seen, window)
        past = [(key[:, :, :kept], value[:, :, :kept]) for key, value in self._past if kept]
        new: Any = torch.from_numpy(np.ascontiguousarray(window[:, kept:]))
        with torch.inference_mode():
            values = self.model.trace(new, past=past)
        self._past = [
            (values[block_key(index, "key")], values[block_key(index, "value")])
            for index in range(self.config.num_layers)
        ]
        self._seen = window.copy()
        return as_array(values["logits"][:, -1])

    def reset(self) -> None:
        """Empty the cache, so that the next window is computed from its first token."""
        self._seen, self._past = np.zeros((0, 0), dtype=np.int64), []
