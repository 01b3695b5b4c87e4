"""A GPT in nanoGPT's layout with `bias=False`, written again for the tests: its names, its
`nn.Linear` (matrices as [out, in]), its GELU, its optional tied head."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


class Norm(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.rand(channels) + 0.5)

    def forward(self, values: Tensor) -> Tensor:
        return functional.layer_norm(values, self.weight.shape, self.weight, None, 1e-5)


class Attention(nn.Module):
    def __init__(self, channels: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(channels, 3 * channels, bias=False)
        self.c_proj = nn.Linear(channels, channels, bias=False)

    def forward(self, values: Tensor) -> Tensor:
        query, key, value = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in self.c_attn(values).chunk(3, dim=-1)
        )
        heads = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.c_proj(heads.transpose(1, 2).flatten(-2))  # type: ignore[no-any-return]


class Wide(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.c_fc = nn.Linear(channels, 4 * channels, bias=False)
        self.c_proj = nn.Linear(4 * channels, channels, bias=False)

    def forward(self, values: Tensor) -> Tensor:
        return self.c_proj(functional.gelu(self.c_fc(values)))  # type: ignore[no-any-return]


class Block(nn.Module):
    def __init__(self, channels: int, heads: int) -> None:
        super().__init__()
        self.ln_1, self.attn = Norm(channels), Attention(channels, heads)
        self.ln_2, self.mlp = Norm(channels), Wide(channels)

    def forward(self, values: Tensor) -> Tensor:
        values = values + self.attn(self.ln_1(values))
        return values + self.mlp(self.ln_2(values))  # type: ignore[no-any-return]


class NanoGPT(nn.Module):
    def __init__(
        self, words: int, context: int, channels: int, heads: int, layers: int, tied: bool
    ) -> None:
        super().__init__()
        self.transformer = nn.ModuleDict(
            {
                "wte": nn.Embedding(words, channels),
                "wpe": nn.Embedding(context, channels),
                "h": nn.ModuleList(Block(channels, heads) for _ in range(layers)),
                "ln_f": Norm(channels),
            }
        )
        self.lm_head = nn.Linear(channels, words, bias=False)
        if tied:
            self.lm_head.weight = self.transformer["wte"].weight  # type: ignore[assignment]

    def forward(self, token_ids: Tensor) -> Tensor:
        places = torch.arange(token_ids.shape[1])
        values = self.transformer["wte"](token_ids) + self.transformer["wpe"](places)
        for block in self.transformer["h"]:  # type: ignore[attr-defined]
            values = block(values)
        return self.lm_head(self.transformer["ln_f"](values))  # type: ignore[no-any-return]
