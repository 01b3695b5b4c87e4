"""`python -m tests.security.at_work FOLDER`: the page served, a training, an export.

Everything that loads an engine, in one process and the ones it starts, for a test to watch.
"""

from __future__ import annotations

import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import app  # noqa: F401 - as it is started: it sets variables that Gradio reads
from export.decode_ort.decoder import OrtDecoder
from export.decode_ort.own_model import write_own
from model.model_files import save_folder
from model.teaching import teaching_model
from model.vocabulary import LESSON_WORDS
from tests.ui.started import free_port
from tests.ui.training.fakes import form
from ui import torch_loading
from ui.launching import launch
from ui.options import read_options
from ui.page import build
from ui.panels import training
from ui.training import limits
from ui.views import view

PATIENCE = 400.0  # seconds for a process that starts on a busy machine


def main(folder: Path) -> None:
    """Serve the page and do what people do on it."""
    limits.NICENESS = 0  # a test waits for it
    blocks = build()
    address = launch(blocks, read_options(["--port", str(free_port())]))
    with urllib.request.urlopen(address + "healthz", timeout=30) as response:
        assert response.status == 200
    torch_loading.wait()
    for engine in ("onnxruntime", "torch"):
        _done(view({"tokens": [0, 1], "engine": engine}))
    learned = _done(training.training_start({"task": form(steps=20, num_layers=2)}))
    _until(lambda: training.training_progress({"id": learned["id"]}), "status", "finished")
    save_folder(teaching_model(), folder / "saved", LESSON_WORDS)
    (made, *_) = write_own(folder / "saved", "decode-ort", folder)
    OrtDecoder(made)(np.array([[0, 1]]))
    blocks.close(verbose=False)


def _until(ask: Callable[[], dict[str, Any]], name: str, value: str) -> None:
    give_up = time.monotonic() + PATIENCE
    while (answer := _done(ask()))[name] != value:
        assert time.monotonic() < give_up, answer
        time.sleep(0.1)


def _done(answer: dict[str, Any]) -> dict[str, Any]:
    assert "error" not in answer, answer
    return answer


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    sys.exit(0)
