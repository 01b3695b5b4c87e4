"""The poems, recited from their first characters, in every engine that is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from export.parity.files import FormFiles
from export.parity.measure import Settings, loaded, missing, wrong_word
from export.parity.subjects import Subject, subjects
from export.runtimes.catalogue import RUNTIMES
from export.runtimes.declaration import Arrays, Feeds
from export.runtimes.environments import default_root
from export.shipped import FILES
from model.generation import generate


def poems() -> Subject:
    (found,) = (subject for subject in subjects() if subject.name == "poems")
    return found


def engines() -> list[Any]:
    """The engines' names; those but the page's are long."""
    names = [each.name for each in RUNTIMES.values() if "logits" in each.forms]
    recites = pytest.mark.long("an engine writes the poems word by word")
    return [pytest.param(name, marks=() if name == "onnxruntime" else recites) for name in names]


@pytest.mark.parametrize("name", engines())
def test_the_poems_are_recited(name: str, tmp_path: Path) -> None:
    engine = RUNTIMES[name]
    settings = Settings(FormFiles(FILES, tmp_path), default_root(), seconds=60)
    absent = missing(engine, settings)
    if absent is not None:
        pytest.skip(f"missing: {engine.title}: {absent.reason}")  # as in the stored table
    with loaded(engine, poems(), engine.forms["logits"], settings) as (running, _):
        assert wrong_word(running.run, poems()) == ""


def test_a_wrong_word_is_named() -> None:
    subject = poems()

    def nudged(feeds: Feeds) -> Arrays:
        ids = feeds["token_ids"]
        logits = np.zeros((*ids.shape, 75), np.float32)
        logits[..., 1] = 1  # right after the first poem's first word, and nowhere else
        return {"logits": logits}

    assert wrong_word(nudged, subject).endswith("it writes 1, not 21")


def test_what_is_recited_is_what_generate_writes() -> None:
    subject = poems()
    assert len(subject.texts) == 4
    for text in subject.texts:
        made = generate(subject.model, [list(text[:1])], len(text) - 1)
        assert made.token_ids[0].tolist() == list(text)
