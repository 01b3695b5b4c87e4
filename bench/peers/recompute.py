"""Generation without a KV cache: each token recomputes all tokens before it.

`lesson`: the lesson's class, with attention written out and logits at every position; also on one
thread, since speedups of a cache are often given for one thread.
`nanogpt`: as in karpathy/nanoGPT: fused attention, logits only at the last position.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bench.peers.declaration import HERE, Ids, Peer, PeerSetup

LESSON, NANOGPT = "lesson", "nanogpt"
ONE_THREAD = "one thread"
PEERS = (
    Peer(LESSON, "the lesson's way (recompute)", __name__, HERE, recomputes=True, setting=LESSON),
    Peer(
        "lesson-one-thread",
        "the lesson's way, one thread",
        __name__,
        HERE,
        recomputes=True,
        only_steps=True,
        setting=ONE_THREAD,
        files=LESSON,
    ),
    Peer(NANOGPT, "nanoGPT's way (recompute)", __name__, HERE, recomputes=True, setting=NANOGPT),
)


class Attention(nn.Module):
    def __init__(self, setup: PeerSetup) -> None:
        super().__init__()
        channels = setup.sizes["model_dim"]
        self.heads, self.fused = setup.sizes["num_heads"], setup.setting == NANOGPT
        self.qkv = nn.Linear(channels, 3 * channels, bias=False)
        self.output = nn.Linear(channels, channels, bias=False)
        length = setup.sizes["context_length"]
        mask = torch.tril(torch.ones(length, length, dtype=torch.bool))
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, residual: Tensor) -> Tensor:
        batch, sequence, channels = residual.shape
        query, key, value = (
            part.view(batch, sequence, self.heads, -1).transpose(1, 2)
            for part in self.qkv(residual).chunk(3, dim=-1)
        )
        if self.fused:
            joined = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        else:
            scores = query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5
            seen = self.mask[:sequence, :sequence]  # type: ignore[index]
            joined = scores.masked_fill(~seen, float("-inf")).softmax(dim=-1) @ value
        return self.output(joined.transpose(1, 2).reshape(batch, sequence, channels))  # type: ignore[no-any-return]


class Block(nn.Module):
    def __init__(self, setup: PeerSetup) -> None:
        super().__init__()
        channels = setup.sizes["model_dim"]
        self.ln1, self.ln2 = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.attention = Attention(setup)
        self.ffn = nn.ModuleDict(
            {
                "0": nn.Linear(channels, 4 * channels),
                "2": nn.Linear(4 * channels, channels),
            }
        )

    def forward(self, residual: Tensor) -> Tensor:
        residual = residual + self.attention(self.ln1(residual))
        hidden = functional.gelu(self.ffn["0"](self.ln2(residual)))
        return residual + self.ffn["2"](hidden)  # type: ignore[no-any-return]


class Network(nn.Module):
    def __init__(self, setup: PeerSetup) -> None:
        super().__init__()
        sizes, channels = setup.sizes, setup.sizes["model_dim"]
        self.context_length, self.last_only = sizes["context_length"], setup.setting == NANOGPT
        self.token_embedding = nn.Embedding(sizes["vocab_size"], channels)
        self.position_embedding = nn.Embedding(sizes["context_length"], channels)
        self.blocks = nn.ModuleList(Block(setup) for _ in range(sizes["num_layers"]))
        self.final_norm = nn.LayerNorm(channels)
        self.lm_head = nn.Linear(channels, sizes["vocab_size"])

    def forward(self, token_ids: Tensor) -> Tensor:
        positions = torch.arange(token_ids.shape[1])
        residual = self.token_embedding(token_ids) + self.position_embedding(positions)
        for block in self.blocks:
            residual = block(residual)
        if self.last_only:
            residual = residual[:, [-1]]
        return self.lm_head(self.final_norm(residual))  # type: ignore[no-any-return]


class Recomputed:
    """The generation loop of the lesson and of nanoGPT."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._text = torch.zeros((1, 0), dtype=torch.int64)

    def prefill(self, token_ids: Ids) -> Ids:
        self._text = torch.from_numpy(token_ids)
        return self.step()

    @torch.inference_mode()
    def step(self) -> Ids:
        next_ids = self._last_logits(self._text).argmax(dim=-1, keepdim=True)
        self._text = torch.cat((self._text, next_ids), dim=1)
        return np.asarray(next_ids[:, 0].numpy())

    @torch.inference_mode()
    def generate(self, token_ids: Ids, count: int) -> None:
        text = torch.from_numpy(token_ids)
        for _ in range(count):
            probabilities = self._last_logits(text).softmax(dim=-1)
            text = torch.cat((text, torch.multinomial(probabilities, num_samples=1)), dim=1)

    def _last_logits(self, text: Tensor) -> Tensor:
        logits: Tensor = self._network(text[:, -self._network.context_length :])
        return logits[:, -1, :]


def load(setup: PeerSetup) -> Any:
    torch.set_num_threads(1 if setup.setting == ONE_THREAD else setup.threads)
    network = Network(setup).eval()
    with torch.no_grad():
        for name, tensor in network.state_dict().items():
            tensor.copy_(torch.from_numpy(setup.weight(name)[...].copy()))
    return Recomputed(network)


def version() -> str:
    return f"torch {version_of('torch')}"
