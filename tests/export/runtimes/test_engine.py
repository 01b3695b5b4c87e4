"""The near side of a worker: answers, patience, and the end of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from export.runtimes.catalogue import RUNTIMES
from export.runtimes.declaration import Environment, Runtime, Task
from export.runtimes.engine import Engine, EngineError
from export.shipped import FILES
from model.teaching import TEACHING_CONFIG
from tests.export.parity import stub_engine

SIZES = {key: value for key, value in TEACHING_CONFIG.as_dict().items() if key != "dropout"}


def task(file: Path, scratch: Path) -> Task:
    return Task(file, "plain", ("token_ids",), ("logits",), SIZES, scratch)


def test_an_engine_answers_and_times(tmp_path: Path) -> None:
    with Engine(RUNTIMES["onnxruntime"], None) as engine:
        with pytest.raises(EngineError, match="nothing is loaded"):
            engine.run({"token_ids": np.array([[0, 1]])})
        assert engine.load(task(FILES / "mini_gpt_teaching.onnx", tmp_path)) > 0
        logits = engine.run({"token_ids": np.array([[0, 1]])})["logits"]
        assert logits.shape == (1, 2, 5)
        assert int(logits[0, -1].argmax()) == 3
        assert engine.time({"token_ids": np.array([[0, 1]])}, 3) > 0
        with pytest.raises(EngineError, match="InvalidArgument"):
            engine.run({"token_ids": np.array([0, 1])})
        # A refused run is not the end of it.
        assert engine.run({"token_ids": np.array([[4]])})["logits"].shape == (1, 1, 5)


def test_an_engine_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    file = tmp_path / "mini_gpt_teaching.onnx"
    file.write_bytes((FILES / file.name).read_bytes())
    (tmp_path / "behaviour").write_text("sleeps", encoding="utf-8")
    slow = Runtime("slow", "Slow", Environment("here", "here", ()), stub_engine.__name__)
    with Engine(slow, None) as engine:
        engine.load(task(file, tmp_path))
        engine.patience = 0.2
        with pytest.raises(EngineError, match="no answer within"):
            engine.run({"token_ids": np.array([[0, 1]])})
