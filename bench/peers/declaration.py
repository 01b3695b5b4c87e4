"""The interface of a peer. Needs only NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from export.runtimes.declaration import Environment

Ids = NDArray[np.int64]
HERE = Environment("here", "here", ())


@dataclass(frozen=True)
class Peer:
    """One engine in one setting.

    name: in tables and results. module: the file with `load`. exact: computes the same function
    in float32, so that its tokens must equal ours. bits: of its weights. recomputes: has no KV
    cache, so that a step costs as much as the whole text. only_steps: only steps with batch size 1
    are meaningful. setting: passed to `load`. files: the folder of its converted files, if it
    shares them with another peer.
    """

    name: str
    title: str
    module: str
    environment: Environment
    exact: bool = True
    bits: int = 32
    recomputes: bool = False
    only_steps: bool = False
    setting: str = ""
    files: str = ""


@dataclass(frozen=True)
class PeerSetup:
    """The network to load.

    weights: the folder with the state_dict as `<name>.npy`. scratch: the peer's own folder, kept
    between conversion and loading.
    """

    sizes: Mapping[str, int]
    weights: Path
    scratch: Path
    threads: int
    setting: str

    @property
    def head_size(self) -> int:
        return self.sizes["model_dim"] // self.sizes["num_heads"]

    def weight(self, name: str) -> NDArray[Any]:
        """A parameter, memory-mapped from its file."""
        array: NDArray[Any] = np.load(self.weights / f"{name}.npy", mmap_mode="r")
        return array


class LoadedPeer(Protocol):
    """A loaded peer. Prefill and step are greedy; the peer decides ties."""

    def prefill(self, token_ids: Ids) -> Ids:
        """Start over with tokens [batch, sequence]; returns the next token [batch]."""

    def step(self) -> Ids:
        """Append the token returned last; returns the next token [batch]."""

    def generate(self, token_ids: Ids, count: int) -> None:
        """Append `count` sampled tokens, temperature 1, with the peer's usual API."""
