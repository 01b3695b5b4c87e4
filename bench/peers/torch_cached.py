"""MiniGPT in PyTorch with a KV cache: `model.cached`."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any

import torch

from bench.peers.declaration import HERE, Peer, PeerSetup
from bench.peers.mini_gpt import CachedText
from model.cached import CachedTorch
from model.network import MiniGPT

PEERS = (Peer("torch-cached", "MiniGPT, PyTorch with cache", __name__, HERE),)


def load(setup: PeerSetup) -> Any:
    """MiniGPT with the weights from the files, in `CachedTorch`."""
    torch.set_num_threads(setup.threads)
    model = MiniGPT(**setup.sizes).eval()
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            tensor.copy_(torch.from_numpy(setup.weight(name)[...].copy()))
    return CachedText(CachedTorch(model))


def version() -> str:
    return f"torch {version_of('torch')}"
