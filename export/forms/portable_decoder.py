"""Next-word logits with a KV cache, over the `decode` form in any engine.

To be passed to `model.generate` as `next_logits`: it gets the whole window each time, reuses the
cache of the common prefix, and starts again from an empty cache when the window has slid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from export.forms.decode import cache_names, past_name
from export.graph import INPUT_NAME
from export.runtimes import Arrays, Ids
from model.cached_prefix import reusable
from model.config import MiniGPTConfig, check_token_ids
from model.sampling import Floats

NamedRun = Callable[[Mapping[str, NDArray[Any]]], Arrays]
"""An engine with a loaded file: arrays by input name -> arrays by output name."""


class PortableDecoder:
    """last_logits of a window, from a `decode` file; for one batch of texts at a time."""

    def __init__(self, run: NamedRun, config: MiniGPTConfig) -> None:
        self.config = config
        self._run = run
        self._seen: Ids = np.zeros((0, 0), dtype=np.int64)
        self._cache: dict[str, NDArray[np.float32]] = {}

    def __call__(self, window: Ids) -> Floats:
        """last_logits [batch, vocab_size] of `window` [batch, sequence].

        Raises:
            InputError: dtype, rank, length or an id is wrong. Some engines accept more than
                context_length tokens silently and return wrong numbers.
        """
        check_token_ids(window, self.config.vocab_size, self.config.context_length)
        kept = reusable(self._seen, window)
        empty = np.zeros((len(window), self.config.num_heads, 0, self.config.head_size), np.float32)
        names = cache_names(self.config.num_layers)
        past = {
            past_name(name): self._cache[name][:, :, :kept] if kept else empty for name in names
        }
        results = self._run({INPUT_NAME: window[:, kept:], **past})
        self._cache = {name: results[name] for name in names}
        self._seen = window.copy()
        return np.asarray(results["logits"][:, -1])
