"""The sizes of the measured networks (with random weights), and the positions measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from model.config import MiniGPTConfig

SEED = 0


@dataclass(frozen=True)
class Size:
    """One network, and what is measured of it.

    positions: tokens in the cache before the timed steps. steps: timed one after another.
    repeats: of the whole text, in one request (a few steps of a tiny network are too short).
    prefill: tokens of the prompt whose prefill is timed. batches: batch sizes for steps.
    sampled: whether sampled generation is timed. without: peers that are left out.
    """

    name: str
    config: MiniGPTConfig
    threads: int
    positions: tuple[int, ...]
    steps: int
    repeats: int = 1
    prefill: int | None = None
    batches: tuple[int, ...] = ()
    sampled: bool = False
    without: tuple[str, ...] = ()

    @property
    def sizes(self) -> dict[str, int]:
        """The network's five sizes by name."""
        sizes = self.config.as_dict()
        sizes.pop("dropout")
        return sizes


SIZES = (
    Size(
        "tiny",
        MiniGPTConfig(5, 8, 4, 2, 2),
        threads=1,
        positions=(2,),
        steps=5,
        repeats=60,
        sampled=True,
        without=("mini-gpt-int8", "llama-cpp-q8", "openvino-bf16", "floor", "lesson-one-thread"),
    ),
    Size(
        "mid",
        MiniGPTConfig(8192, 512, 256, 8, 6),
        threads=2,
        positions=(16, 128, 496),
        steps=12,
        prefill=511,
        batches=(8, 32),
    ),
    Size(
        "gpt2-small",
        MiniGPTConfig(50257, 1024, 768, 12, 12),
        threads=2,
        positions=(16, 128, 512, 1000),
        steps=8,
        prefill=512,
        batches=(8, 32),
    ),
)


def prompt(size: Size, length: int, batch: int = 1) -> list[list[int]]:
    """Random token ids [batch, length], the same in every run."""
    draw = np.random.default_rng(length)
    rows: list[list[int]] = draw.integers(0, size.config.vocab_size, (batch, length)).tolist()
    return rows


def write_weights(size: Size, folder: Path) -> None:
    """The state_dict of a new MiniGPT as `<name>.npy`; `lm_head.bias` is 0, as GPT-2 has none."""
    import torch

    from model.network import MiniGPT

    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(SEED)
    model = MiniGPT(**size.sizes)
    with torch.no_grad():
        model.lm_head.bias.zero_()
    for name, tensor in model.state_dict().items():
        np.save(folder / f"{name}.npy", tensor.numpy())
