"""Names and shapes of the inputs and outputs of a `decode-ort` file; needs no torch."""

from __future__ import annotations

from pathlib import Path

from model.config import MiniGPTConfig
from model.values import block_key

TOKEN_IDS, POSITIONS = "token_ids", "positions"
LAST_POSITION, TOTAL_LENGTH = "last_position", "total_length"
LAST_LOGITS = "last_logits"
CACHED = ("key", "value")

HEAD_STEP = 8  # GroupQueryAttention on CPU: "head_size must be a multiple of 8"


def stored_head_size(config: MiniGPTConfig) -> int:
    """Channels of one head in the file: `head_size`, rounded up to a multiple of 8."""
    return -(-config.head_size // HEAD_STEP) * HEAD_STEP


def cache_names(num_layers: int) -> list[str]:
    """The outputs `blocks.{i}.key`, `blocks.{i}.value`, in order; see `past_name`."""
    return [block_key(index, part) for index in range(num_layers) for part in CACHED]


def past_name(name: str) -> str:
    """The input that is bound to the same buffer as the output `name`: `past.blocks.0.key`."""
    return f"past.{name}"


def cache_shape(config: MiniGPTConfig, batch: int) -> tuple[int, int, int, int]:
    """[batch, num_heads, context_length, stored_head_size] of every key or value."""
    return (batch, config.num_heads, config.context_length, stored_head_size(config))


def data_file(path: Path) -> Path:
    """The file of the external weights of the graph in `path`."""
    return path.with_name(path.name + ".data")
