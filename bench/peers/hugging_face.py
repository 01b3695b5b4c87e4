"""Hugging Face transformers in PyTorch, with its KV cache."""

from __future__ import annotations

import importlib
from typing import Any

from bench.peers.declaration import Ids, Peer, PeerSetup
from bench.peers.gpt2_of import gpt2_of
from export.runtimes.declaration import Environment

PEERS = (
    Peer(
        "hugging-face",
        "Hugging Face transformers, cache",
        __name__,
        Environment(
            "hugging-face", "pip", ("torch==2.13.0", "transformers==5.24.0", "numpy==2.4.6")
        ),
    ),
)


class Cached:
    """The model called directly, one token at a time, without the overhead of `generate`."""

    def __init__(self, model: Any) -> None:
        self._torch: Any = importlib.import_module("torch")
        self._model = model
        self._cache: Any = None
        self._last: Any = None

    def prefill(self, token_ids: Ids) -> Ids:
        self._cache = None
        return self._feed(self._torch.from_numpy(token_ids))

    def step(self) -> Ids:
        return self._feed(self._last)

    def generate(self, token_ids: Ids, count: int) -> None:
        with self._torch.inference_mode():
            self._model.generate(
                self._torch.from_numpy(token_ids),
                max_new_tokens=count,
                do_sample=True,
                top_k=0,
                pad_token_id=0,
            )

    def _feed(self, token_ids: Any) -> Ids:
        with self._torch.inference_mode():
            result = self._model(
                input_ids=token_ids, past_key_values=self._cache, use_cache=True, logits_to_keep=1
            )
        self._cache = result.past_key_values
        self._last = result.logits[:, -1].argmax(dim=-1, keepdim=True)
        chosen: Ids = self._last[:, 0].numpy()
        return chosen


def load(setup: PeerSetup) -> Any:
    importlib.import_module("torch").set_num_threads(setup.threads)
    return Cached(gpt2_of(setup))


def version() -> str:
    names = ("transformers", "torch")
    return ", ".join(f"{name} {importlib.import_module(name).__version__}" for name in names)
