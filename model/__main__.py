"""`python -m model train`: train a MiniGPT and save it as config.json and model.safetensors."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from model.command_line import Parser
from model.console import Console, check_folder, packages_needed
from model.errors import InputError

with packages_needed(__name__):
    from tqdm import tqdm

    from model.config import MiniGPTConfig
    from model.corpus import entropy_floor, read_corpus, uniform_loss, windows_of
    from model.text_file import read_text
    from model.training_settings import DEFAULTS, LESSON_DROPOUT, LESSON_SIZES, TrainingSettings
    from model.vocabulary import LESSON_A, LESSON_B, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.network import MiniGPT
    from model.recipe import Recipe
    from model.training import Progress


def main(arguments: list[str] | None = None) -> int:
    """Run the command; exit status 1 for a file error, 2 for invalid input, 130 for Ctrl+C."""
    console = Console.of(arguments)
    options = _parser(console).parse_args(arguments)
    try:
        return _train(options, console)
    except (InputError, OSError, KeyboardInterrupt) as error:
        return console.refuse(error)


def _parser(console: Console) -> argparse.ArgumentParser:
    text = console.text
    trains = text("model.describe")
    parser = Parser(console, prog="python -m model", description=trains)
    commands = parser.add_commands(dest="command", required=True)
    train = commands.add_parser(
        "train",
        description=trains,
        help=text("model.help_train"),
    )
    source = train.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--corpus",
        type=Path,
        help=text("model.help_corpus"),
    )
    source.add_argument(
        "--recipe",
        type=Path,
        help=text("model.help_recipe"),
    )
    train.add_argument("--out", type=Path, required=True, help=text("model.help_out"))
    defaults = {
        **LESSON_SIZES,
        "steps": DEFAULTS.steps,
        "batch_size": DEFAULTS.batch_size,
        "seed": DEFAULTS.seed,
        "dropout": LESSON_DROPOUT,
        "learning_rate": DEFAULTS.learning_rate,
    }
    for name, default in defaults.items():
        train.add_argument(
            f"--{name.replace('_', '-')}",
            type=train.number if isinstance(default, float) else train.whole_number,
            default=default,
            help=text("model.help_default", default=default),
        )
    return parser


def _train(options: argparse.Namespace, console: Console) -> int:
    import torch  # not for --help

    from model.model_files import save_folder
    from model.recipe import read_recipe

    # A step of a network this small is mostly overhead: a second thread makes it slower.
    torch.set_num_threads(1)
    vocabulary = Vocabulary()
    recipe = (
        read_recipe(options.recipe, vocabulary) if options.recipe else _recipe(options, vocabulary)
    )
    model, progress = _start(recipe, vocabulary)
    check_folder(options.out)
    _say_corpus(recipe, vocabulary, console)
    ended = _run(progress, recipe.settings.steps, console)
    # Saved before anything more is printed, so that a failing print cannot lose the weights.
    save_folder(model, options.out, vocabulary)
    status = 0 if ended is None else console.refuse(ended)
    _say_result(model, recipe, vocabulary, console)
    console.say("console.written", path=options.out)
    return status


def _start(recipe: Recipe, vocabulary: Vocabulary) -> tuple[MiniGPT, Iterator[Progress]]:
    """The new network, and the iterator that trains it as it is consumed."""
    try:
        return recipe.run(vocabulary)
    except (MemoryError, RuntimeError) as error:  # torch raises either when memory runs out
        raise InputError("memory") from error


def _run(
    progress: Iterator[Progress], steps: int, console: Console
) -> InputError | KeyboardInterrupt | None:
    """Train to the end; return the error or Ctrl+C that ended training early, else None."""
    unit, loss = console.text("model.step"), console.text("model.corpus_loss")
    with tqdm(total=steps, unit=unit, disable=None) as bar:  # None: shown on a terminal only
        try:
            for made in progress:
                bar.update(made.step - bar.n)
                if made.watched is not None:
                    bar.set_postfix_str(f"{loss} {made.watched.corpus_loss:.4f}")
        except (InputError, KeyboardInterrupt) as ended:
            return ended
    return None


def _say_corpus(recipe: Recipe, vocabulary: Vocabulary, console: Console) -> None:
    count, nothing = len(recipe.corpus.sentences), uniform_loss(len(vocabulary))
    floor = entropy_floor(recipe.corpus, recipe.config.context_length)
    console.say("model.corpus", count=count, nothing=nothing, floor=floor)


def _say_result(model: MiniGPT, recipe: Recipe, vocabulary: Vocabulary, console: Console) -> None:
    """Print loss and next words of the saved weights, evaluated here because training that ended
    early may not have evaluated them."""
    from model.training import look

    length = recipe.config.context_length
    prompts = [vocabulary.encode(text)[-length:] for text in recipe.watched]
    seen = look(model, windows_of(recipe.corpus, length), prompts)
    console.say("model.final_loss", corpus_loss=seen.corpus_loss)
    for text, probabilities in zip(recipe.watched, seen.probabilities, strict=True):
        best = int(probabilities.argmax())
        console.write(f"{text} -> {vocabulary.words[best]} {probabilities[best]:.4f}")


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
        read_corpus(read_text(options.corpus), vocabulary),
        TrainingSettings(
            steps=options.steps,
            learning_rate=options.learning_rate,
            seed=options.seed,
            batch_size=options.batch_size,
        ),
        tuple(" ".join(vocabulary.decode(prompt)) for prompt in (LESSON_A, LESSON_B)),
    )


if __name__ == "__main__":
    with packages_needed():
        sys.exit(main())
