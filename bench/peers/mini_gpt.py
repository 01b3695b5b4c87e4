"""MiniGPT's decoder, `export.decode_ort.decoder`, with float32 and 8-bit weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version as version_of
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.peers.declaration import HERE, Ids, Peer, PeerSetup
from model.config import MiniGPTConfig
from model.generation import generate
from model.sampling import Floats

Array = NDArray[Any]
EIGHT_BITS = "int8"
PEERS = (
    Peer("mini-gpt", "MiniGPT, decode-ort", __name__, HERE),
    Peer(
        "mini-gpt-int8", "MiniGPT, decode-ort, 8 bits", __name__, HERE, False, 8, setting=EIGHT_BITS
    ),
)


def convert(setup: PeerSetup) -> None:
    """The timed export: from weights in files to the ONNX file."""
    from export.decode_ort.file import write_decode_ort

    config = MiniGPTConfig(**setup.sizes)
    write_decode_ort(
        config,
        FromFiles(setup),
        {name: str(value) for name, value in setup.sizes.items()},
        setup.scratch / "model.onnx",
        eight_bits=setup.setting == EIGHT_BITS,
    )


class FromFiles(Mapping[str, Array]):
    """The setup's weights, each memory-mapped at access and released after use."""

    def __init__(self, setup: PeerSetup) -> None:
        self._setup = setup

    def __getitem__(self, name: str) -> Array:
        return self._setup.weight(name)

    def __iter__(self) -> Iterator[str]:
        return (path.stem for path in self._setup.weights.glob("*.npy"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def load(setup: PeerSetup) -> Any:
    """The decoder, with the setup's number of threads."""
    from export.decode_ort.decoder import OrtDecoder

    return CachedText(OrtDecoder(setup.scratch / "model.onnx", threads=setup.threads))


class Decoder(Protocol):
    """`OrtDecoder` or `CachedTorch`."""

    config: MiniGPTConfig

    def __call__(self, window: Ids) -> Floats: ...

    def reset(self) -> None: ...


class CachedText:
    """A text extended by a decoder, greedily."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self._config = decoder.config
        self._window: Ids = np.zeros((0, 0), dtype=np.int64)
        self._length = 0

    def prefill(self, token_ids: Ids) -> Ids:
        batch, self._length = token_ids.shape
        self._window = np.zeros((batch, self._config.context_length), dtype=np.int64)
        self._window[:, : self._length] = token_ids
        self._decoder.reset()
        return self._choose()

    def step(self) -> Ids:
        return self._choose()

    def generate(self, token_ids: Ids, count: int) -> None:
        self._decoder.reset()
        generate(self._config, token_ids, count, temperature=1.0, next_logits=self._decoder)

    def _choose(self) -> Ids:
        logits = self._decoder(self._window[:, : self._length])
        chosen: Ids = logits.argmax(axis=-1)
        if self._length < self._config.context_length:
            self._window[:, self._length] = chosen
            self._length += 1
        return chosen


def version() -> str:
    return f"onnxruntime {version_of('onnxruntime')}"
