"""The network of the lesson's listing: the same modules under the same names, written plainly."""

from __future__ import annotations

import torch
from torch import Tensor, nn

NAMES = [
    "token_embedding.weight",
    "position_embedding.weight",
    "blocks.0.ln1.weight",
    "blocks.0.ln1.bias",
    "blocks.0.attention.qkv.weight",
    "blocks.0.attention.output.weight",
    "blocks.0.ln2.weight",
    "blocks.0.ln2.bias",
    "blocks.0.ffn.0.weight",
    "blocks.0.ffn.0.bias",
    "blocks.0.ffn.2.weight",
    "blocks.0.ffn.2.bias",
    "final_norm.weight",
    "final_norm.bias",
    "lm_head.weight",
    "lm_head.bias",
]
"""The state_dict of one block."""


class Attention(nn.Module):
    def __init__(self, model_dim: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(model_dim, 3 * model_dim, bias=False)
        self.output = nn.Linear(model_dim, model_dim, bias=False)

    def forward(self, normed: Tensor) -> Tensor:
        batch, sequence, channels = normed.shape
        heads = (batch, sequence, self.num_heads, channels // self.num_heads)
        query, key, value = (
            part.view(heads).transpose(1, 2) for part in self.qkv(normed).chunk(3, dim=-1)
        )
        scores = query @ key.transpose(-2, -1) / heads[-1] ** 0.5
        later = torch.ones(sequence, sequence, dtype=torch.bool).triu(1)
        shares = scores.masked_fill(later, float("-inf")).softmax(-1)
        joined = (shares @ value).transpose(1, 2).reshape(batch, sequence, channels)
        updated: Tensor = self.output(joined)
        return updated


class Block(nn.Module):
    def __init__(self, model_dim: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        self.ln1 = nn.LayerNorm(model_dim)
        self.attention = Attention(model_dim, num_heads)
        self.ln2 = nn.LayerNorm(model_dim)
        self.ffn = nn.Sequential(
            nn.Linear(model_dim, 4 * model_dim),
            nn.GELU(),
            nn.Linear(4 * model_dim, model_dim),
            nn.Dropout(dropout),
        )

    def forward(self, residual: Tensor) -> Tensor:
        residual = residual + self.attention(self.ln1(residual))
        brought: Tensor = self.ffn(self.ln2(residual))
        return residual + brought


class Listing(nn.Module):
    def __init__(
        self,
        vocab_size: int,
        context_length: int,
        model_dim: int,
        num_heads: int,
        num_layers: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.context_length = context_length
        self.token_embedding = nn.Embedding(vocab_size, model_dim)
        self.position_embedding = nn.Embedding(context_length, model_dim)
        self.blocks = nn.ModuleList(Block(model_dim, num_heads, dropout) for _ in range(num_layers))
        self.final_norm = nn.LayerNorm(model_dim)
        self.lm_head = nn.Linear(model_dim, vocab_size)

    def forward(self, token_ids: Tensor) -> Tensor:
        positions = torch.arange(token_ids.shape[1])
        residual = self.token_embedding(token_ids) + self.position_embedding(positions)
        for block in self.blocks:
            residual = block(residual)
        logits: Tensor = self.lm_head(self.final_norm(residual))
        return logits
