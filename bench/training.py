"""Steps per second of `model.training`, compared with a plain loop in nanoGPT's style.

`python -m bench.training [--rounds 75]`: one process, one thread, contenders interleaved in
rounds; medians, and ratios to the first. For each of SIZES all contenders have the same sizes and
the same batches: "tiny" is the lesson's trained model (batches of 4 x 8 tokens), "largest" the
largest that the page trains (32 x 32).

- "plain loop": a step of nanoGPT's train.py on a CPU (a batch of random pieces, learning rate
  schedule, gradient clipping, AdamW with two parameter groups, gradients set to None), with the
  same traced forward pass.
- "plain loop, plain network": the same with a network that keeps no intermediate values and uses
  torch's fused attention.
- "ours": `train`, with the gradient norm at each step and an evaluation without dropout every
  fiftieth.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.commands import in_turn, run
from model.console import Console, packages_needed

with packages_needed(__name__):
    import numpy as np
    import torch
    from torch import Tensor, nn
    from torch.nn import functional

    from model.config import MiniGPTConfig
    from model.corpus import Corpus
    from model.training import TrainingSettings, new_model, train
    from model.units import WORDS
    from model.vocabulary import Vocabulary


@dataclass(frozen=True)
class Size:
    """Sizes of the network and windows per batch."""

    config: MiniGPTConfig
    batch: int


SIZES = {
    "tiny": Size(MiniGPTConfig(5, 8, 4, 2, 2, 0.1), 4),
    "largest": Size(MiniGPTConfig(256, 32, 32, 4, 4, 0.1), 32),
}
SENTENCES = 64
STEPS_A_ROUND = 10
WARM_UP = 2  # rounds
LEARNING_RATE = 0.01
ENDLESS = 10**9

Step = Callable[[], object]


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print a table in Markdown."""
    run("bench.training_describe", arguments, _print, rounds=75)


def _print(console: Console, options: argparse.Namespace) -> None:
    console.write("| size | loop | steps/s | ratio |\n|---|---|---:|---:|")
    for name, size in SIZES.items():
        rates = measure(options.rounds, size)
        first = next(iter(rates.values()))
        for loop, rate in rates.items():
            console.write(f"| {name} | {loop} | {rate:.0f} | {rate / first:.2f} |")


def measure(rounds: int, size: Size) -> dict[str, float]:
    """Median steps per second of each contender, interleaved."""
    torch.set_num_threads(1)
    network = new_model(size.config, 0).train()
    plain = PlainGPT(size.config).train()
    contenders: dict[str, Step] = {
        "plain loop": plain_loop(network, lambda ids, targets: network(ids, targets)[1], size),
        "plain loop, plain network": plain_loop(plain, plain, size),
        "ours": our_loop(size),
    }
    turns = {name: _steps(step) for name, step in contenders.items()}
    seconds = in_turn(turns, rounds, WARM_UP)
    return {name: STEPS_A_ROUND / taken for name, taken in seconds.items()}


def _steps(step: Step) -> Step:
    """One turn: so many steps."""

    def turn() -> None:
        for _ in range(STEPS_A_ROUND):
            step()

    return turn


def corpus(config: MiniGPTConfig) -> Corpus:
    """Random sentences of context_length + 1 words, so that every window is full."""
    draw = np.random.default_rng(0)
    words = draw.integers(0, config.vocab_size, (SENTENCES, config.context_length + 1))
    vocabulary = Vocabulary(tuple(f"w{number}" for number in range(config.vocab_size)), WORDS)
    return Corpus(tuple(tuple(sentence) for sentence in words.tolist()), vocabulary)


def our_loop(size: Size) -> Step:
    """A step of `train`."""
    settings = TrainingSettings(ENDLESS, LEARNING_RATE, batch_size=size.batch)
    progress: Iterator[object] = train(
        new_model(size.config, 0), corpus(size.config), settings, [[0, 1], [4, 1]]
    )
    return lambda: next(progress)


def plain_loop(network: nn.Module, loss_of: Callable[[Tensor, Tensor], Tensor], size: Size) -> Step:
    """A step of a loop like nanoGPT's train.py on a CPU."""
    words = torch.tensor([word for sentence in corpus(size.config).sentences for word in sentence])
    matrices = [weight for weight in network.parameters() if weight.dim() >= 2]
    vectors = [weight for weight in network.parameters() if weight.dim() < 2]
    groups = [
        {"params": matrices, "weight_decay": 0.1},
        {"params": vectors, "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=LEARNING_RATE, betas=(0.9, 0.95))
    length = size.config.context_length
    done = 0

    def step() -> float:
        nonlocal done
        rate = LEARNING_RATE * 0.5 * (1.0 + math.cos(math.pi * min(done / 1000, 1.0)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        starts = torch.randint(len(words) - length, (size.batch,)).tolist()
        token_ids = torch.stack([words[start : start + length] for start in starts])
        targets = torch.stack([words[start + 1 : start + 1 + length] for start in starts])
        loss = loss_of(token_ids, targets)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        done += 1
        return loss.item()

    return step


class PlainGPT(nn.Module):
    """The same network, without a trace."""

    def __init__(self, config: MiniGPTConfig) -> None:
        super().__init__()
        channels = config.model_dim
        self.words = nn.Embedding(config.vocab_size, channels)
        self.positions = nn.Embedding(config.context_length, channels)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(_PlainBlock(config) for _ in range(config.num_layers))
        self.norm = nn.LayerNorm(channels)
        self.head = nn.Linear(channels, config.vocab_size)

    def forward(self, token_ids: Tensor, targets: Tensor) -> Tensor:
        positions = torch.arange(token_ids.shape[1])
        residual = self.dropout(self.words(token_ids) + self.positions(positions))
        for block in self.blocks:
            residual = block(residual)
        logits = self.head(self.norm(residual))
        return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


class _PlainBlock(nn.Module):
    def __init__(self, config: MiniGPTConfig) -> None:
        super().__init__()
        self.config, channels = config, config.model_dim
        self.norm_1, self.norm_2 = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.qkv = nn.Linear(channels, 3 * channels, bias=False)
        self.output = nn.Linear(channels, channels, bias=False)
        self.widen, self.narrow = (
            nn.Linear(channels, 4 * channels),
            nn.Linear(4 * channels, channels),
        )
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, residual: Tensor) -> Tensor:
        config, (batch, sequence, channels) = self.config, residual.shape
        query, key, value = (
            part.view(batch, sequence, config.num_heads, config.head_size).transpose(1, 2)
            for part in self.qkv(self.norm_1(residual)).chunk(3, -1)
        )
        mixed = functional.scaled_dot_product_attention(
            query, key, value, dropout_p=config.dropout if self.training else 0.0, is_causal=True
        )
        joined = mixed.transpose(1, 2).reshape(batch, sequence, channels)
        residual = residual + self.dropout(self.output(joined))
        hidden = functional.gelu(self.widen(self.norm_2(residual)))
        update: Tensor = self.dropout(self.narrow(hidden))
        return residual + update


if __name__ == "__main__":
    with packages_needed():
        main()
