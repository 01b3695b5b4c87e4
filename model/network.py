"""The network: token and position embeddings, pre-LayerNorm blocks, a linear head.

`trace` is the computation. It returns every intermediate value, in order; `forward` takes the
logits from it. Nothing is stored on a module, so threads can share one.

Axes in shape comments: B batch, T sequence, C model_dim, H num_heads, D head_size,
F ffn_dim, V vocab_size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from model.config import (
    FFN_FACTOR,
    IGNORED_TARGET,
    LAYER_NORM_EPS,
    MiniGPTConfig,
    check_dropout,
    check_heads,
    check_length,
    check_size,
    check_token_ids,
)
from model.errors import InputError
from model.gates import OPEN, Gates
from model.hub import HubModel
from model.values import block_key
from model.vocabulary import Vocabulary

KeyValue = tuple[Tensor, Tensor]
"""Keys and values [B, H, P, D] of one block, for P earlier tokens."""


def causal_mask(context_length: int) -> Tensor:
    """[T, T]: 0 where a row (query position) may see a column (key position), else -infinity."""
    return torch.full((context_length, context_length), -math.inf).triu(1)


class CausalSelfAttention(nn.Module):
    """Multi-head self-attention in which a position sees itself and earlier positions.

    Vaswani et al. 2017, section 3.2; one bias-free projection makes Q, K and V.
    """

    def __init__(self, model_dim: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        for name, size in (("model_dim", model_dim), ("num_heads", num_heads)):
            check_size(name, size)
        check_heads(model_dim, num_heads)
        check_dropout(dropout)
        self.num_heads = num_heads
        self.head_size = model_dim // num_heads
        self.qkv = nn.Linear(model_dim, 3 * model_dim, bias=False)
        self.output = nn.Linear(model_dim, model_dim, bias=False)
        self.attention_dropout = nn.Dropout(dropout)
        self.output_dropout = nn.Dropout(dropout)

    def trace(
        self, normed: Tensor, mask: Tensor, gates: Gates = OPEN, past: KeyValue | None = None
    ) -> dict[str, Tensor]:
        """Every value from `query` to `attention_update`.

        normed: [B, T, C]; mask: [T, T], added to the scores.
        past: keys and values of P earlier tokens. `key` and `value` then include them,
            [B, H, P+T, D], and mask and scores are [T, P+T].
        `attention_probs` is before dropout.
        """
        channels = self.num_heads * self.head_size
        query, key, value = (
            self._split_heads(part)  # [B, H, T, D]
            for part in self.qkv(normed).split([channels, channels, channels], dim=-1)
        )
        if past is not None:
            key, value = torch.cat((past[0], key), dim=-2), torch.cat((past[1], value), dim=-2)
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.head_size)  # [B, H, T, T]
        masked_scores = scores + mask
        attention_probs = masked_scores.softmax(dim=-1)
        kept_probs = gates.scale("attention_probs.dropout", self.attention_dropout(attention_probs))
        head_outputs = gates.scale("heads.gate", kept_probs @ value)  # [B, H, T, D]
        heads_joined = head_outputs.transpose(1, 2).flatten(-2)  # [B, T, C]
        update = self.output_dropout(self.output(heads_joined))
        update = gates.scale("attention_update.dropout", update)
        return {
            "query": query,
            "key": key,
            "value": value,
            "scores": scores,
            "masked_scores": masked_scores,
            "attention_probs": attention_probs,
            "head_outputs": head_outputs,
            "heads_joined": heads_joined,
            "attention_update": gates.scale("attention.gate", update),
        }

    def forward(self, normed: Tensor) -> Tensor:
        """attention_update [B, T, C] of `normed` [B, T, C]."""
        return self.trace(normed, _mask_for(normed))["attention_update"]

    def _split_heads(self, channels: Tensor) -> Tensor:
        """[B, T, C] -> [B, H, T, D]: head h reads channels h*D up to (h+1)*D."""
        batch, sequence, _ = channels.shape
        return channels.view(batch, sequence, self.num_heads, self.head_size).transpose(1, 2)


class FeedForward(nn.Sequential):
    """model_dim -> 4 * model_dim -> model_dim with exact GELU, applied to each position.

    Four layers, as in the lesson's listing: `ffn[0]` expands, `ffn[2]` contracts.
    """

    def __init__(self, model_dim: int, dropout: float) -> None:
        super().__init__(
            nn.Linear(model_dim, FFN_FACTOR * model_dim),
            nn.GELU(),
            nn.Linear(FFN_FACTOR * model_dim, model_dim),
            nn.Dropout(dropout),
        )

    def trace(self, normed: Tensor, gates: Gates = OPEN) -> dict[str, Tensor]:
        """`ffn_hidden` (before GELU) and `ffn_activation` [B, T, F], `ffn_update` [B, T, C]."""
        widen, gelu, narrow, dropout = self
        hidden = widen(normed)
        activation = gelu(hidden)
        update = gates.scale("ffn_update.dropout", dropout(narrow(activation)))
        return {
            "ffn_hidden": hidden,
            "ffn_activation": activation,
            "ffn_update": gates.scale("ffn.gate", update),
        }

    def forward(self, normed: Tensor) -> Tensor:
        """ffn_update [B, T, C] of `normed` [B, T, C]."""
        return self.trace(normed)["ffn_update"]


class TransformerBlock(nn.Module):
    """Pre-LayerNorm block: attention, then FFN, each added to the residual stream."""

    def __init__(self, model_dim: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        check_size("model_dim", model_dim)
        self.model_dim = model_dim
        self.ln1 = nn.LayerNorm(model_dim, eps=LAYER_NORM_EPS)
        self.attention = CausalSelfAttention(model_dim, num_heads, dropout)
        self.ln2 = nn.LayerNorm(model_dim, eps=LAYER_NORM_EPS)
        self.ffn = FeedForward(model_dim, dropout)

    def trace(
        self, residual: Tensor, mask: Tensor, gates: Gates = OPEN, past: KeyValue | None = None
    ) -> dict[str, Tensor]:
        """Every value of the block in order, from `ln1` to `residual_after_ffn`.

        residual: [B, T, C]; mask: [T, T], added to the scores; past: see the attention's trace.
        """
        ln1 = gates.choose("ln1.gate", self.ln1(residual), residual)
        attention = self.attention.trace(ln1, mask, gates, past)
        carried = gates.scale("residual_attention.gate", residual)
        after_attention = carried + attention["attention_update"]
        ln2 = gates.choose("ln2.gate", self.ln2(after_attention), after_attention)
        ffn = self.ffn.trace(ln2, gates)
        carried = gates.scale("residual_ffn.gate", after_attention)
        return {
            "ln1": ln1,
            **attention,
            "residual_after_attention": after_attention,
            "ln2": ln2,
            **ffn,
            "residual_after_ffn": carried + ffn["ffn_update"],
        }

    def forward(self, residual: Tensor) -> Tensor:
        """The residual stream after the block: [B, T, C] -> [B, T, C].

        Raises:
            InputError: not a tensor, or the shape is not [batch, sequence, model_dim].
        """
        check_tensor("residual", residual)
        if residual.dim() != 3 or residual.shape[-1] != self.model_dim:
            raise InputError("block_input", model_dim=self.model_dim, shape=list(residual.shape))
        return self.trace(residual, _mask_for(residual))["residual_after_ffn"]


class MiniGPT(nn.Module, HubModel):
    """A GPT whose every intermediate value has a name.

    vocab_size (V), context_length (the largest T), model_dim (C), num_heads (H), num_layers,
    dropout in [0, 1).

    Raises:
        InputError (a ValueError): a size is not a positive whole number, `model_dim` is not
            divisible by `num_heads`, or `dropout` is outside [0, 1).
    """

    causal_mask: Tensor
    vocabulary: Vocabulary | None
    """The words that its ids stand for, saved with the weights; None: unknown."""

    def __init__(
        self,
        vocab_size: int,
        context_length: int,
        model_dim: int,
        num_heads: int,
        num_layers: int,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.config = MiniGPTConfig(
            vocab_size, context_length, model_dim, num_heads, num_layers, dropout
        )
        self.vocabulary = None
        self.token_embedding = nn.Embedding(vocab_size, model_dim)
        self.position_embedding = nn.Embedding(context_length, model_dim)
        self.blocks = nn.ModuleList(
            TransformerBlock(model_dim, num_heads, dropout) for _ in range(num_layers)
        )
        self.final_norm = nn.LayerNorm(model_dim, eps=LAYER_NORM_EPS)
        self.lm_head = nn.Linear(model_dim, vocab_size)
        # Not a parameter of the lesson, so not in the state_dict.
        self.register_buffer("causal_mask", causal_mask(context_length), persistent=False)

    @property
    def context_length(self) -> int:
        """The largest T."""
        return self.config.context_length

    def trace(
        self,
        token_ids: Tensor,
        switches: Mapping[str, Tensor] | None = None,
        past: Sequence[KeyValue] = (),
    ) -> dict[str, Tensor]:
        """Every value of the network in order, under the keys of `model.trace.trace_shapes`.

        token_ids: int32 or int64 [B, T], T at most context_length.
        switches: the gates of `model.switches.gate_arrays` as tensors; None leaves the network
            unchanged.
        past: `key` and `value` of every block for the P tokens before these, at positions 0
            to P-1; P+T at most context_length. Not valid once the window slides, because its
            tokens then change position.

        Raises:
            InputError: wrong dtype or rank, empty, too long, or an id out of range.
        """
        values = self._until_logits(token_ids, switches, past)
        values["vocabulary_probs"] = values["logits"].softmax(dim=-1)
        return values

    def _until_logits(
        self,
        token_ids: Tensor,
        switches: Mapping[str, Tensor] | None = None,
        past: Sequence[KeyValue] = (),
    ) -> dict[str, Tensor]:
        """The trace without its last value, which a loss does not need."""
        checking = not torch.compiler.is_compiling()  # an exported graph contains no Python checks
        if checking:
            check_tensor("token_ids", token_ids)
            check_token_ids(token_ids, self.config.vocab_size, self.config.context_length)
        start, end = None, token_ids.shape[1]
        if past:
            start = past[0][0].shape[-2]
            end += start
            if checking:
                check_length(end, self.config.context_length)
        gates = Gates(switches or {})
        token_embeddings = self.token_embedding(token_ids)  # [B, T, C]
        positions = self.position_embedding.weight[start:end]  # [T, C]
        position_embeddings = gates.scale("position_embedding.gate", positions)
        residual = token_embeddings + position_embeddings
        values = {
            "token_embeddings": token_embeddings,
            "position_embeddings": position_embeddings,
            "residual_0": residual,
        }
        mask = gates.replace("causal_mask", self.causal_mask[start:end, :end])
        for index, block in enumerate(self.blocks):
            within = gates.within(block_key(index, ""))
            before = past[index] if past else None
            block_values = block.trace(residual, mask, within, before)  # type: ignore[operator]
            values |= {block_key(index, name): value for name, value in block_values.items()}
            residual = block_values["residual_after_ffn"]
        values["final_hidden"] = gates.choose(
            "final_norm.gate", self.final_norm(residual), residual
        )
        values["logits"] = self.lm_head(values["final_hidden"])  # [B, T, V]
        return values

    def forward(
        self, token_ids: Tensor, targets: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """(logits [B, T, V], loss): mean cross entropy in nats over the targets, None without them.

        targets: int32 or int64 [B, T], the word that follows each position; -100 is ignored.
        """
        logits = self._until_logits(token_ids)["logits"]
        if targets is None:
            return logits, None
        check_targets(targets, token_ids, self.config.vocab_size)
        flat_logits = logits.flatten(0, 1)  # [B*T, V]
        counted = targets.flatten().long()  # cross_entropy takes int64 only
        loss = functional.cross_entropy(flat_logits, counted, ignore_index=IGNORED_TARGET)
        return logits, loss


def check_tensor(name: str, value: Any) -> None:
    """Raise InputError unless `value` is a torch tensor."""
    if not isinstance(value, Tensor):
        raise InputError("tensor", name=name, kind=type(value).__name__)


def check_targets(targets: Tensor, token_ids: Tensor, vocab_size: int) -> None:
    """Raise InputError unless `targets` fits `token_ids` and holds ids or -100."""
    check_tensor("targets", targets)
    if targets.shape != token_ids.shape:
        raise InputError(
            "targets_shape", targets=list(targets.shape), token_ids=list(token_ids.shape)
        )
    if targets.dtype not in (torch.int32, torch.int64):
        raise InputError("targets_dtype", dtype=str(targets.dtype).removeprefix("torch."))
    wrong = ((targets < 0) | (targets >= vocab_size)) & (targets != IGNORED_TARGET)
    if wrong.any():
        raise InputError("targets_range", value=int(targets[wrong][0]), last=vocab_size - 1)


def _mask_for(residual: Tensor) -> Tensor:
    return causal_mask(residual.shape[-2]).to(residual)
