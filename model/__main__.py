"""`python -m model train`: train a MiniGPT and save it as config.json and model.safetensors."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.command_line import Parser
from model.console import Console, check_folder, packages_needed
from model.errors import InputError

with packages_needed(__name__):
    from tqdm import tqdm

    from model.config import MiniGPTConfig
    from model.corpus import (
        LINE_ENDS,
        WORD,
        entropy_floor,
        own_corpus,
        read_corpus,
        uniform_loss,
        windows_of,
    )
    from model.own_sizes import own_config, own_settings
    from model.text_file import read_text
    from model.training_settings import DEFAULTS, LESSON_DROPOUT, LESSON_SIZES, TrainingSettings
    from model.units import CHARACTERS, WORDS
    from model.vocabulary import LESSON_A, LESSON_B, LESSON_WORDS

_DEFAULTS = {
    **LESSON_SIZES,
    "steps": DEFAULTS.steps,
    "batch_size": DEFAULTS.batch_size,
    "seed": DEFAULTS.seed,
    "dropout": LESSON_DROPOUT,
    "learning_rate": DEFAULTS.learning_rate,
}
"""Of the lesson's words; for a text of one's own they follow from it."""
_SETTINGS = ("steps", "batch_size", "seed", "learning_rate")
_TIMED_STEPS = 3
_SHOWN_WORDS = 200

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
    for name, default in _DEFAULTS.items():
        train.add_argument(
            f"--{name.replace('_', '-')}",
            type=train.number if isinstance(default, float) else train.whole_number,
            help=text("model.help_default", default=default),
        )
    train.add_argument("--unit", choices=(WORDS, CHARACTERS), help=text("model.help_unit"))
    train.add_argument("--line-ends", choices=LINE_ENDS, help=text("model.help_line_ends"))
    train.add_argument("--bias", action="store_true", help=text("model.help_bias"))
    return parser


def _train(options: argparse.Namespace, console: Console) -> int:
    import torch  # not for --help

    from model.model_files import save_folder
    from model.recipe import read_recipe

    # A step of a network this small is mostly overhead: a second thread makes it slower.
    torch.set_num_threads(1)
    recipe = read_recipe(options.recipe) if options.recipe else _recipe(options, console)
    model, progress = _start(recipe)
    check_folder(options.out)
    _say_corpus(recipe, console)
    if recipe.corpus.vocabulary != LESSON_WORDS:
        _say_own(recipe, console)
    ended = _run(progress, recipe.settings.steps, console)
    # Saved before anything more is printed, so that a failing print cannot lose the weights.
    save_folder(model, options.out)
    status = 0 if ended is None else console.refuse(ended)
    _say_result(model, recipe, console)
    console.say("console.written", path=options.out)
    return status


def _start(recipe: Recipe) -> tuple[MiniGPT, Iterator[Progress]]:
    """The new network, and the iterator that trains it as it is consumed."""
    try:
        return recipe.run()
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


def _say_corpus(recipe: Recipe, console: Console) -> None:
    count, nothing = len(recipe.corpus.sentences), uniform_loss(recipe.corpus.vocab_size)
    floor = entropy_floor(recipe.corpus, recipe.config.context_length)
    console.say("model.corpus", count=count, nothing=nothing, floor=floor)


def _say_own(recipe: Recipe, console: Console) -> None:
    """Print the words of a text of one's own, what was chosen for it, and what that takes."""
    from model.parameters import parameter_count

    words = recipe.corpus.vocabulary
    length = sum(map(len, recipe.corpus.sentences))
    console.say("model.own_words", length=length, count=len(words), words=words.listed)
    if recipe.corpus.left_out:
        console.say("model.left_out", count=recipe.corpus.left_out)
    settings = recipe.settings
    chosen = {
        **recipe.config.as_dict(),
        **{name: getattr(settings, name) for name in _SETTINGS},
        "decay": settings.decay,
        "output_bias": settings.output_bias,
    }
    console.say("model.chosen", chosen=", ".join(f"{name} {chosen[name]}" for name in chosen))
    seconds = _seconds_a_step(recipe) * settings.steps
    console.say("model.takes", parameters=parameter_count(recipe.config), seconds=seconds)


def _seconds_a_step(recipe: Recipe) -> float:
    """Of a copy of the training, which is thrown away: the mean of steps 2 to 4."""
    unwatched = replace(recipe.settings, steps=_TIMED_STEPS + 2, watch_every=sys.maxsize)
    _, progress = replace(recipe, settings=unwatched, watched=()).run()
    times = []
    for _ in range(_TIMED_STEPS + 2):
        next(progress)
        times.append(time.perf_counter())
    return (times[-1] - times[1]) / _TIMED_STEPS


def _say_result(model: MiniGPT, recipe: Recipe, console: Console) -> None:
    """Print loss and next words of the saved weights, evaluated here because training that ended
    early may not have evaluated them."""
    from model.training import look

    length, vocabulary = recipe.config.context_length, recipe.corpus.vocabulary
    prompts = [vocabulary.encode(text)[-length:] for text in recipe.watched]
    seen = look(model, windows_of(recipe.corpus, length), prompts)
    console.say("model.final_loss", corpus_loss=seen.corpus_loss)
    for text, probabilities in zip(recipe.watched, seen.probabilities, strict=True):
        best = int(probabilities.argmax())
        console.write(f"{text} -> {vocabulary.shown[best]} {probabilities[best]:.4f}")
    if vocabulary != LESSON_WORDS:
        console.write(_beginning(model, recipe))


def _beginning(model: MiniGPT, recipe: Recipe) -> str:
    """What the model writes after the first word of the text, the most probable words."""
    from model.generation import generate

    first = recipe.corpus.sentences[0]
    made = generate(model, [list(first[:1])], min(len(first) - 1, _SHOWN_WORDS))
    return recipe.corpus.vocabulary.text(made.token_ids[0])


def _recipe(options: argparse.Namespace, console: Console) -> Recipe:
    from model.recipe import Recipe

    given = {name: getattr(options, name) for name in _DEFAULTS}
    given = {name: value for name, value in given.items() if value is not None}
    if options.unit is None:
        return _lesson_recipe(options, {**_DEFAULTS, **given}, console)
    text = read_text(options.corpus)
    corpus = own_corpus(text, options.unit, options.line_ends or WORD)
    settings = {name: given.pop(name) for name in _SETTINGS if name in given}
    config = own_config(corpus, given)
    if options.bias:
        settings["output_bias"] = True
    return Recipe(config, corpus, own_settings(corpus, config, settings), ())


def _lesson_recipe(options: argparse.Namespace, given: dict[str, Any], console: Console) -> Recipe:
    from model.recipe import Recipe

    settings = {name: given.pop(name) for name in _SETTINGS}
    config = MiniGPTConfig(vocab_size=len(LESSON_WORDS), **given)
    try:
        corpus = read_corpus(read_text(options.corpus), LESSON_WORDS)
    except InputError as error:
        if error.code == "corpus_word":
            console.complain("model.own_text")
        raise
    watched = tuple(LESSON_WORDS.text(prompt) for prompt in (LESSON_A, LESSON_B))
    return Recipe(config, corpus, TrainingSettings(**settings), watched)


if __name__ == "__main__":
    with packages_needed():
        sys.exit(main())
