"""`python -m model train`: train a MiniGPT and keep it as config.json and model.safetensors."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from model.config import MiniGPTConfig
from model.corpus import entropy_floor, read_corpus, uniform_loss
from model.errors import InputError
from model.training_settings import DEFAULTS, LESSON_DROPOUT, LESSON_SIZES, TrainingSettings
from model.vocabulary import Vocabulary

if TYPE_CHECKING:
    from model.recipe import Recipe

_WATCHED = ("我 喜欢", "猫 喜欢")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 2 after an error in what was given."""
    options = _parser().parse_args(arguments)
    try:
        _train(options)
    except (InputError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train on a corpus, or again by a recipe")
    source = train.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--corpus", type=Path, help="text file, a sentence of the five words a line"
    )
    source.add_argument("--recipe", type=Path, help="recorded training (model/recipes/*.json)")
    train.add_argument("--out", type=Path, required=True, help="folder to write")
    defaults = {
        **LESSON_SIZES,
        "steps": DEFAULTS.steps,
        "batch_size": DEFAULTS.batch_size,
        "seed": DEFAULTS.seed,
        "dropout": LESSON_DROPOUT,
        "learning_rate": DEFAULTS.learning_rate,
    }
    for name, default in defaults.items():
        option = f"--{name.replace('_', '-')}"
        train.add_argument(option, type=type(default), default=default, help=f"default {default}")
    return parser


def _train(options: argparse.Namespace) -> None:
    import torch  # not for --help

    from model.checkpoint import save_folder
    from model.recipe import read_recipe

    # A step of a network this small is all overhead: a second thread makes it slower.
    torch.set_num_threads(1)
    vocabulary = Vocabulary()
    recipe = (
        read_recipe(options.recipe, vocabulary) if options.recipe else _recipe(options, vocabulary)
    )
    floor = entropy_floor(recipe.corpus, recipe.config.context_length)
    print(
        f"{len(recipe.corpus.sentences)} sentences; loss of knowing nothing "
        f"{uniform_loss(len(vocabulary)):.4f}, entropy floor {floor:.4f}"
    )
    model, progress = recipe.run(vocabulary)
    with tqdm(total=recipe.settings.steps, unit="step", disable=None) as bar:  # a terminal only
        for made in progress:
            bar.update(made.step - bar.n)
            if made.watched is not None:
                bar.set_postfix_str(f"corpus loss {made.watched.corpus_loss:.4f}")
                last = made.watched
    for text, probabilities in zip(recipe.watched, last.probabilities, strict=True):
        best = int(probabilities.argmax())
        print(f"{text} -> {vocabulary.words[best]} {probabilities[best]:.4f}")
    save_folder(model, options.out, vocabulary)
    print(f"written to {options.out}")


def _recipe(options: argparse.Namespace, vocabulary: Vocabulary) -> Recipe:
    from model.recipe import Recipe

    return Recipe(
        MiniGPTConfig(
            vocab_size=len(vocabulary),
            context_length=options.context_length,
            model_dim=options.model_dim,
            num_heads=options.num_heads,
            num_layers=options.num_layers,
            dropout=options.dropout,
        ),
        read_corpus(options.corpus.read_text(encoding="utf-8"), vocabulary),
        TrainingSettings(
            steps=options.steps,
            learning_rate=options.learning_rate,
            seed=options.seed,
            batch_size=options.batch_size,
        ),
        _WATCHED,
    )


if __name__ == "__main__":
    sys.exit(main())
