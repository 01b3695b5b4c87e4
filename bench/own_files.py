"""Seconds until a trained model's ONNX files are there, beside one bare `torch.onnx.export`.

`python -m bench.own_files [--rounds 5]`: one process, one thread, contenders interleaved in
rounds; medians, and ratios to the first. Sizes of the page's form (5, 8, 4, 2, 2).

- "bare export": `torch.onnx.export` of the same network with its logits, nothing checked.
- "two exports": both forms exported and proven, as files of these sizes were made before.
- "template, first": both forms of sizes that were never exported: one export, then as below.
- "template": both forms from the template that is there from then on, proven.
- "hub folder": every file of the folder for the usual loaders, its ONNX files proven.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

from bench.commands import in_turn, run
from model.console import Console, packages_needed

with packages_needed(__name__):
    import torch

    from export.forms.filled import exported_template, template
    from export.graph import batch_axis, quiet_exporter, sequence_axis
    from export.hub import proven_folder
    from export.shipped import proven_forms
    from model.config import MiniGPTConfig
    from model.network import MiniGPT
    from model.training import new_model
    from model.vocabulary import LESSON_WORDS

CONFIG = MiniGPTConfig(5, 8, 4, 2, 2, 0.1)
EVERY = 256  # prompts of each length, as the page compares

Make = Callable[[], object]


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print a table in Markdown."""
    run("bench.own_files_describe", arguments, _print, rounds=5)


def _print(console: Console, options: argparse.Namespace) -> None:
    seconds = measure(options.rounds)
    first = next(iter(seconds.values()))
    console.write("| files | s | ratio |\n|---|---:|---:|")
    for name, taken in seconds.items():
        console.write(f"| {name} | {taken:.2f} | {taken / first:.2f} |")


def measure(rounds: int) -> dict[str, float]:
    """Median seconds of each contender, interleaved, after one round that is not counted."""
    torch.set_num_threads(1)
    return in_turn(contenders(), rounds, warm_up=1)


def contenders() -> dict[str, Make]:
    """Each by its name; every one makes the files of the same weights."""
    model = new_model(CONFIG, 0).eval()
    there = template(CONFIG)
    sizes = replace(CONFIG, dropout=0.0)
    return {
        "bare export": lambda: _bare(model),
        "two exports": lambda: proven_forms("own", model, LESSON_WORDS, None, EVERY),
        "template, first": lambda: proven_forms(
            "own", model, LESSON_WORDS, None, EVERY, exported_template(sizes)
        ),
        "template": lambda: proven_forms("own", model, LESSON_WORDS, None, EVERY, there),
        "hub folder": lambda: _folder(model),
    }


def _folder(model: MiniGPT) -> object:
    files, _ = proven_folder(model)
    return {name: content() for name, content in files.files.items()}


def _bare(model: MiniGPT) -> object:
    example = torch.zeros((2, 2), dtype=torch.int64)
    axes = {0: batch_axis(), 1: sequence_axis(CONFIG.context_length)}
    with quiet_exporter():
        return torch.onnx.export(
            _Logits(model).eval(), (example,), dynamo=True, dynamic_shapes=(axes,), verbose=False
        )


class _Logits(torch.nn.Module):
    """One output: the exporter warns of `forward`'s second, which is None."""

    def __init__(self, model: MiniGPT) -> None:
        super().__init__()
        self.model = model

    def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.model(token_ids)[0]
        return logits


if __name__ == "__main__":
    with packages_needed():
        main()
