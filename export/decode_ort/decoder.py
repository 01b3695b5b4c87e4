"""Next-word logits with a KV cache: the decoder that runs a `decode-ort` file.

A decoder is passed to `model.generate` as `next_logits`: it gets the whole window each time and
finds out which tokens are new. Keys and values are reused only for the common prefix with the
cached tokens, so a window that has slid, an edited prompt or another prompt is recomputed from
the first token that differs.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from export.decode_ort.huge_pages import in_huge_pages
from export.decode_ort.interface import (
    LAST_LOGITS,
    LAST_POSITION,
    POSITIONS,
    TOKEN_IDS,
    TOTAL_LENGTH,
    cache_names,
    cache_shape,
    data_file,
    past_name,
)
from export.runtimes import Ids
from export.runtimes.onnx_runtime import EVERY_CORE, Session, session_for
from model.cached_prefix import reusable
from model.config import MiniGPTConfig, check_token_ids
from model.errors import InputError
from model.sampling import Floats

THREADED_FROM = 4_000_000
"""Bytes of a file from which a second thread is worth waking for every token, and huge pages
are worth requesting."""

PART = 256
"""Tokens of one text that are computed at once (chunked prefill). GroupQueryAttention computes the
whole square of scores, so chunks save most of the half that the mask hides (512 words of two
networks took 0.96 and 1.01 of the time, 1,000 words 0.93) and a square of 1,000 by 1,000 per head;
shorter chunks read the weights too often."""

ALIGNMENT = 64
"""Bytes of a cache line, and of the widest vectors: an unaligned vector takes two reads."""

MOST_BINDINGS = 32  # prompt lengths whose bindings are cached; each takes a few kilobytes

_SIZES = ("vocab_size", "context_length", "model_dim", "num_heads", "num_layers")


class OrtDecoder:
    """last_logits of a window, from a `decode-ort` file, with a KV cache.

    One decoder serves one text (or one batch of texts of equal length) at a time; it is not
    thread-safe.

    source: the file's path, or its bytes if the weights are inside.
    threads: None means one for a small network and every core for a large one.

    Raises:
        InputError: it is a file of another form, or states no sizes.
    """

    def __init__(self, source: Path | bytes, threads: int | None = None) -> None:
        self._session = open_session(source, threads)
        self.config = _stated_config(self._session)
        self._buffers: _Buffers | None = None
        self.reset()

    def reset(self) -> None:
        """Empty the cache, so that the next window is computed from its first token."""
        self._text = b""  # the tokens whose keys and values are in the buffers
        self._shape = (1, 0)  # of these tokens: [batch, length]

    @property
    def cached(self) -> Ids:
        """The tokens [batch, length] whose keys and values are cached."""
        return np.frombuffer(self._text, dtype=np.int64).reshape(self._shape)

    @property
    def cache(self) -> dict[str, NDArray[np.float32]]:
        """The buffers, `blocks.{i}.key` and `.value`, with room for context_length tokens."""
        return {} if self._buffers is None else self._buffers.caches

    def __call__(self, window: Ids) -> Floats:
        """last_logits [batch, vocab_size] of `window` [batch, sequence].

        Raises:
            InputError: not an array, or dtype, rank, length or an id is wrong.
        """
        try:
            text = window.tobytes()
        except AttributeError as error:
            raise InputError("window_array", kind=type(window).__name__) from error
        if self._is_one_more_word(window, text):
            kept = self._shape[1]  # skips the checks below: a third of a tiny network's time
        else:
            check_token_ids(window, self.config.vocab_size, self.config.context_length)
            window = window.astype(np.int64, copy=False)
            text = window.tobytes()
            kept = self._reusable(window)
        buffers = self._buffers_for(len(window))
        self.reset()  # if the run fails, the cache is invalid
        if len(window) == 1:  # several rows can continue by one token at a time only
            for end in range(kept + PART, window.shape[1], PART):
                buffers.run(window[:, :end], kept)
                kept = end
        logits = buffers.run(window, kept)
        self._text, self._shape = text, window.shape
        return logits

    def _is_one_more_word(self, window: Ids, text: bytes) -> bool:
        """Whether `window`, whose bytes are `text`, is the cached row plus one valid token."""
        batch, length = self._shape
        if batch != 1 or window.shape != (1, length + 1) or window.dtype != np.int64:
            return False
        in_context = length < self.config.context_length
        valid = in_context and 0 <= window[0, length] < self.config.vocab_size
        return bool(valid) and text.startswith(self._text)

    def _reusable(self, window: Ids) -> int:
        """How many cached tokens `window` begins with; 0 if they cannot be reused."""
        kept = reusable(self.cached, window)
        if len(window) > 1 and window.shape[1] - kept > 1:
            return 0  # GroupQueryAttention continues several rows by one token at a time only
        return kept

    def _buffers_for(self, batch: int) -> _Buffers:
        if self._buffers is None or self._buffers.batch != batch:
            self._buffers = _Buffers(self._session, self.config, batch)
        return self._buffers


class _Buffers:
    """The buffers of one batch, bound to the session once: cache, inputs of a step, logits."""

    def __init__(self, session: Session, config: MiniGPTConfig, batch: int) -> None:
        self.batch = batch
        self._session = session
        names = cache_names(config.num_layers)
        # One block, for which NumPy requests huge pages: saves 1/20 of a step at 1,000 words.
        memory = aligned_zeros((len(names), *cache_shape(config, batch)))
        self.caches = dict(zip(names, memory, strict=True))
        self._logits = aligned_zeros((batch, config.vocab_size))
        self._bound: dict[int, _Bound] = {}  # by the number of new tokens

    def run(self, window: Ids, kept: int) -> Floats:
        """last_logits of `window`, whose first `kept` tokens are cached; afterwards all are."""
        end = window.shape[1]
        bound = self._bound_for(end - kept)
        bound.token_ids[...] = window[:, kept:]
        if end - kept == 1:
            bound.positions.fill(kept)
        else:
            bound.positions[...] = range(kept, end)
        bound.last_position.fill(end - 1)
        bound.total_length.fill(end)
        self._session.run_with_iobinding(bound.binding)
        return self._logits.copy()

    def _bound_for(self, sequence: int) -> _Bound:
        bound = self._bound.get(sequence)
        if bound is None:
            if len(self._bound) >= MOST_BINDINGS:
                self._bound.clear()
            bound = self._bound[sequence] = self._bind(sequence)
        return bound

    def _bind(self, sequence: int) -> _Bound:
        bound = _Bound(
            self._session.io_binding(),
            token_ids=np.zeros((self.batch, sequence), dtype=np.int64),
            positions=np.zeros(sequence, dtype=np.int64),
            last_position=np.zeros(self.batch, dtype=np.int32),
            total_length=np.zeros((), dtype=np.int32),
        )
        inputs: dict[str, NDArray[Any]] = {
            TOKEN_IDS: bound.token_ids,
            POSITIONS: bound.positions,
            LAST_POSITION: bound.last_position,
            TOTAL_LENGTH: bound.total_length,
            **{past_name(name): cache for name, cache in self.caches.items()},
        }
        for name, array in inputs.items():
            bound.binding.bind_input(name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
        # The same memory as the inputs: new keys and values are written in place.
        for name, array in {LAST_LOGITS: self._logits, **self.caches}.items():
            bound.binding.bind_output(name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
        return bound


@dataclass(frozen=True)
class _Bound:
    """A binding and the inputs it reads; the arrays live as long as the binding does."""

    binding: Any  # onnxruntime.IOBinding
    token_ids: Ids
    positions: Ids
    last_position: NDArray[np.int32]
    total_length: NDArray[np.int32]


def aligned_zeros(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Zeros aligned to `ALIGNMENT` bytes, which NumPy does not guarantee."""
    size = math.prod(shape) * np.dtype(np.float32).itemsize
    memory = np.zeros(size + ALIGNMENT, dtype=np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + size].view(np.float32).reshape(shape)


def open_session(source: Path | bytes, threads: int | None = None) -> Session:
    """A session with `threads` threads; None chooses by the file's size."""
    large = _size(source) >= THREADED_FROM
    if threads is None:
        threads = EVERY_CORE if large else 1
    with in_huge_pages() if large else nullcontext():
        return session_for(source, threads)


def _size(source: Path | bytes) -> int:
    """Bytes of the file and of its external weights."""
    if isinstance(source, bytes):
        return len(source)
    return sum(file.stat().st_size for file in (source, data_file(source)) if file.exists())


def _stated_config(session: Session) -> MiniGPTConfig:
    stated = session.get_modelmeta().custom_metadata_map
    inputs = {each.name for each in session.get_inputs()}
    if not {*_SIZES} <= {*stated} or LAST_POSITION not in inputs:
        raise InputError("decoder_file")
    return MiniGPTConfig(**{name: int(stated[name]) for name in _SIZES})
