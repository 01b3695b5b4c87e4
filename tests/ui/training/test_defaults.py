"""What is trained where nothing else is said: one place, read by page, calls and command line."""

from __future__ import annotations

from model.__main__ import _parser
from model.console import Console
from model.training import TrainingSettings
from model.training_settings import DEFAULTS, LESSON_DROPOUT, LESSON_SIZES
from tests.ui.training.fakes import form
from ui.panels.training import FIRST_FORM
from ui.training.spec import read_spec

SETTINGS = ("steps", "learning_rate", "seed")


def test_the_form_the_calls_and_the_command_train_the_same() -> None:
    given = _parser(Console()).parse_args(["train", "--corpus", "x", "--out", "y"])
    for name in SETTINGS:
        assert getattr(given, name) == FIRST_FORM[name] == getattr(TrainingSettings(), name), name
    for name, size in {**LESSON_SIZES, "dropout": LESSON_DROPOUT}.items():
        assert getattr(given, name) == FIRST_FORM[name] == size, name
    assert given.batch_size == TrainingSettings().batch_size
    bare = form()
    for name in SETTINGS:
        bare.pop(name)
    spec = read_spec(bare)
    assert (spec.settings.steps, spec.settings.learning_rate, spec.settings.seed) == (
        DEFAULTS.steps,
        DEFAULTS.learning_rate,
        DEFAULTS.seed,
    )
