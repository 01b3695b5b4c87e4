"""A recorded training run: sizes, corpus and settings in a JSON file, so it can be repeated.

`{"corpus": "trained.txt", "model": {the arguments of MiniGPT}, "training": {the fields of
TrainingSettings}, "watched": ["我 喜欢", …]}`; the corpus file is in the same folder. With
`"unit": "characters"` or `"words"` (and `"line_ends": "word"` or `"break"`) the words are taken
from the corpus; else they are the lesson's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from math import inf
from pathlib import Path
from typing import Any

from model.config import MiniGPTConfig
from model.corpus import WORD, Corpus, corpus_of
from model.errors import InputError
from model.network import MiniGPT
from model.parameters import parameter_count
from model.text_file import read_text
from model.training import Progress, TrainingSettings, new_model, train

RECIPES = Path(__file__).parent / "recipes"
_REASON_LIMIT = 120  # characters
_COPIES = 4  # of every weight: itself, its gradient, AdamW's two moments
_FLOAT_BYTES = 4
_MOST_COUNTED = 32  # windows of a batch; a corpus may have fewer than are asked for


@dataclass(frozen=True)
class Recipe:
    """Everything that a training run depends on."""

    config: MiniGPTConfig
    corpus: Corpus
    settings: TrainingSettings
    watched: tuple[str, ...]  # prompts as words

    def run(self) -> tuple[MiniGPT, Iterator[Progress]]:
        """The new network, and the iterator that trains it as it is consumed.

        Raises:
            InputError: it does not fit into this computer's memory.
        """
        check_memory(self.config, self.settings.batch_size)
        model = new_model(self.config, self.settings.seed, self.settings.output_bias)
        prompts = [self.corpus.vocabulary.encode(text) for text in self.watched]
        return model, train(model, self.corpus, self.settings, prompts)


def check_memory(config: MiniGPTConfig, batch_size: int = 1) -> None:
    """Raise InputError unless training a network of these sizes fits into memory.

    Checked in advance, because a system that overcommits memory kills the process instead.
    """
    windows = min(batch_size, _MOST_COUNTED)
    logits = _COPIES * windows * config.context_length * config.vocab_size
    if _FLOAT_BYTES * (_COPIES * parameter_count(config) + logits) > _memory():
        raise InputError("memory")


def _memory() -> float:
    """Bytes of this computer's memory; infinite if the system does not report it (Windows)."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return inf


def read_recipe(path: Path) -> Recipe:
    """The recipe recorded in `path`.

    Raises:
        InputError: not a recipe; a size, a setting, a line of its corpus or a watched prompt
            is wrong.
        OSError: it, or its corpus, can't be read.
    """
    recorded = _recorded(path)
    text = read_text(path.parent / _part(recorded, "corpus", str, path))
    config = MiniGPTConfig(**_known(recorded, "model", MiniGPTConfig, path))
    corpus = corpus_of(text, recorded.get("unit"), recorded.get("line_ends", WORD))
    vocabulary = corpus.vocabulary
    if config.vocab_size != len(vocabulary):
        raise InputError("recipe", file=path.name, reason=f"vocab_size {config.vocab_size}")
    settings = TrainingSettings(**_known(recorded, "training", TrainingSettings, path))
    watched = tuple(_part({"watched": [], **recorded}, "watched", list, path))
    if not all(isinstance(text, str) and vocabulary.encode(text) for text in watched):
        raise InputError("recipe", file=path.name, reason="watched")
    return Recipe(config, corpus, settings, watched)


def _recorded(path: Path) -> dict[str, Any]:
    try:
        recorded = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        reason = f"{type(error).__name__}: {error}"[:_REASON_LIMIT]
        raise InputError("recipe", file=path.name, reason=reason) from error
    if not isinstance(recorded, dict):
        raise InputError("recipe", file=path.name, reason=type(recorded).__name__)
    return recorded


def _part(recorded: dict[str, Any], name: str, kind: type, path: Path) -> Any:
    """The value of `name`, which must be a `kind`."""
    if not isinstance(recorded.get(name), kind):
        raise InputError("recipe", file=path.name, reason=f"{name}: {kind.__name__}")
    return recorded[name]


def _known(recorded: dict[str, Any], name: str, kind: Any, path: Path) -> dict[str, Any]:
    """The fields of a `kind` given under `name`: all required ones, and no unknown ones."""
    given = _part(recorded, name, dict, path)
    needed = {field.name for field in fields(kind) if field.default is MISSING}
    wrong = needed - given.keys() or given.keys() - {field.name for field in fields(kind)}
    if wrong:
        listed = ", ".join(sorted(wrong))[:_REASON_LIMIT]
        raise InputError("recipe", file=path.name, reason=f"{name}: {listed}")
    return dict(given)
