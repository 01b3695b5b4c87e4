"""A recorded training: sizes, corpus and settings in a JSON file, so that it can be run again.

`{"corpus": "trained.txt", "model": {the arguments of MiniGPT}, "training": {the fields of
TrainingSettings}, "watched": ["我 喜欢", …]}`; the corpus stands beside the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from model.config import MiniGPTConfig
from model.corpus import Corpus, read_corpus
from model.network import MiniGPT
from model.training import Progress, TrainingSettings, new_model, train
from model.vocabulary import Vocabulary

RECIPES = Path(__file__).parent / "recipes"


@dataclass(frozen=True)
class Recipe:
    """Everything a training depends on."""

    config: MiniGPTConfig
    corpus: Corpus
    settings: TrainingSettings
    watched: tuple[str, ...]  # prompts as words

    def run(self, vocabulary: Vocabulary) -> tuple[MiniGPT, Iterator[Progress]]:
        """The new network, and the progress whose consumption trains it."""
        model = new_model(self.config, self.settings.seed)
        prompts = [vocabulary.encode(text) for text in self.watched]
        return model, train(model, self.corpus, self.settings, prompts)


def read_recipe(path: Path, vocabulary: Vocabulary) -> Recipe:
    """The recipe recorded in `path`.

    Raises:
        InputError: a size, a setting or a line of its corpus is wrong.
        OSError, ValueError, KeyError, TypeError: it is no such file.
    """
    recorded = json.loads(path.read_text(encoding="utf-8"))
    text = (path.parent / recorded["corpus"]).read_text(encoding="utf-8")
    return Recipe(
        MiniGPTConfig(**recorded["model"]),
        read_corpus(text, vocabulary),
        TrainingSettings(**recorded["training"]),
        tuple(recorded.get("watched", ())),
    )
