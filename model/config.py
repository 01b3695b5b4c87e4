"""The sizes of a MiniGPT, and what a list of token ids must satisfy to fit them.

Needs neither torch nor NumPy, so that the page can check a prompt before either is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from model.errors import InputError

LAYER_NORM_EPS = 1e-5  # the lesson's, and torch's default
IGNORED_TARGET = -100  # the target of a position that the loss ignores, torch's default
FFN_FACTOR = 4  # the FFN widens model_dim to FFN_FACTOR * model_dim

SIZES = ("vocab_size", "context_length", "model_dim", "num_heads", "num_layers")
_INTEGER_DTYPES = ("int32", "int64")
_FEW = 64


@dataclass(frozen=True)
class MiniGPTConfig:
    """Sizes of a MiniGPT. Lesson letters: V, (longest) T, C, H, number of blocks.

    Raises:
        InputError: a size is not a positive integer, `model_dim` is not divisible by
            `num_heads`, or `dropout` is outside [0, 1).
    """

    vocab_size: int
    context_length: int
    model_dim: int
    num_heads: int
    num_layers: int
    dropout: float = 0.0

    def __post_init__(self) -> None:
        for name in SIZES:
            check_size(name, getattr(self, name))
        check_heads(self.model_dim, self.num_heads)
        check_dropout(self.dropout)

    @property
    def head_size(self) -> int:
        """Channels of one head (D)."""
        return self.model_dim // self.num_heads

    @property
    def ffn_dim(self) -> int:
        """Hidden units of the FFN."""
        return FFN_FACTOR * self.model_dim

    def as_dict(self) -> dict[str, Any]:
        """The six arguments of `MiniGPT`, by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def check_size(name: str, value: Any) -> None:
    """Raise InputError unless `value` is a positive whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError("size", name=name, value=repr(value))


def check_heads(model_dim: int, num_heads: int) -> None:
    """Raise InputError unless the heads divide the channels evenly."""
    if model_dim % num_heads != 0:
        raise InputError("heads", model_dim=model_dim, num_heads=num_heads)


def check_dropout(dropout: Any) -> None:
    """Raise InputError unless `dropout` is a probability below 1."""
    number = isinstance(dropout, (int, float)) and not isinstance(dropout, bool)
    if not number or not 0 <= dropout < 1:  # rejects NaN and infinity too
        raise InputError("dropout", value=repr(dropout))


def check_token_ids(token_ids: Any, vocab_size: int, context_length: int | None) -> None:
    """Raise InputError unless `token_ids` is a [batch, sequence] integer array the model accepts.

    Works on torch tensors and NumPy arrays. `context_length` None allows any length (for
    generation, where the window is cut out later).
    """
    shape = tuple(token_ids.shape)
    if len(shape) != 2:
        raise InputError("ids_rank", shape=list(shape))
    if 0 in shape:  # before the dtype, since an empty list becomes an array of floats
        raise InputError("ids_empty", shape=list(shape))
    dtype = _dtype_name(token_ids.dtype)
    if dtype not in _INTEGER_DTYPES:
        raise InputError("ids_dtype", dtype=dtype)
    if context_length is not None:
        check_length(shape[1], context_length)
    lowest, highest = _extremes(token_ids, shape[0] * shape[1])
    if lowest < 0 or highest >= vocab_size:
        met = lowest if lowest < 0 else highest
        raise InputError("ids_range", value=met, last=vocab_size - 1)


@cache  # formatting the name takes longer than all other checks
def _dtype_name(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


def _extremes(token_ids: Any, count: int) -> tuple[int, int]:
    """The lowest and the highest id; for a few ids Python is faster than array operations."""
    if count > _FEW:
        return int(token_ids.min()), int(token_ids.max())
    ids = token_ids.reshape(-1).tolist()
    return min(ids), max(ids)


def check_length(sequence: int, context_length: int) -> None:
    """Raise InputError unless `sequence` tokens fit the context."""
    if sequence > context_length:
        raise InputError("ids_length", sequence=sequence, context_length=context_length)
