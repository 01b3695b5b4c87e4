"""What is trained where nothing else is said: one place, read by page, calls and command line."""

from __future__ import annotations

from pathlib import Path

from model.__main__ import _parser, _recipe
from model.console import Console
from model.training import TrainingSettings
from model.training_settings import DEFAULTS, LESSON_DROPOUT, LESSON_SIZES
from tests.ui.training.fakes import form
from ui.panels.training import FIRST_FORM
from ui.training.spec import read_spec

SETTINGS = ("steps", "learning_rate", "seed")


def test_the_form_the_calls_and_the_command_train_the_same(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(str(FIRST_FORM["corpus"]), encoding="utf-8")
    asked = ["train", "--corpus", str(corpus), "--out", str(tmp_path / "out")]
    recipe = _recipe(_parser(Console()).parse_args(asked), Console())
    for name in SETTINGS:
        assert (
            getattr(recipe.settings, name) == FIRST_FORM[name] == getattr(TrainingSettings(), name)
        ), name
    for name, size in {**LESSON_SIZES, "dropout": LESSON_DROPOUT}.items():
        assert getattr(recipe.config, name) == FIRST_FORM[name] == size, name
    assert recipe.settings.batch_size == TrainingSettings().batch_size
    bare = form()
    for name in SETTINGS:
        bare.pop(name)
    spec = read_spec(bare)
    assert (spec.settings.steps, spec.settings.learning_rate, spec.settings.seed) == (
        DEFAULTS.steps,
        DEFAULTS.learning_rate,
        DEFAULTS.seed,
    )
