"""What a peer is, and what it is asked to do. Needs nothing but NumPy."""

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

    name: in tables and results. module: the file with `load`. exact: computes the very same
    function in float32, so its tokens have to be ours. bits: of its weights. recomputes: has no
    cache, so a step costs what the whole text costs. only_steps: nothing but steps
    of one row means anything. setting: what
    `load` is told. files: the folder of what it converts, if it shares that with another peer.
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
    """The network to load: `weights` holds the state_dict as `<name>.npy`.

    scratch: the peer's own folder, kept between conversion and loading.
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
        """A parameter, mapped from its file."""
        array: NDArray[Any] = np.load(self.weights / f"{name}.npy", mmap_mode="r")
        return array


class LoadedPeer(Protocol):
    """A loaded peer. Greedy throughout: a tie goes to whichever the peer takes."""

    def prefill(self, token_ids: Ids) -> Ids:
        """Start over with [batch, sequence] tokens; the word [batch] that follows."""

    def step(self) -> Ids:
        """Take in the word that was last returned; the word [batch] that follows it."""

    def generate(self, token_ids: Ids, count: int) -> None:
        """Append `count` sampled words, temperature 1, the way the peer's users do."""
