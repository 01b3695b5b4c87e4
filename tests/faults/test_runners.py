"""A file that cannot be opened for a moment is not given up for good."""

from __future__ import annotations

from typing import Any

import pytest

from model.errors import InputError
from ui import engines
from ui.engines import ONNX_RUNTIME, run
from ui.models import model_entry


def test_what_could_not_be_opened_is_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: Any) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(engines, "_runners", engines._Runners(4))
    entry = model_entry("teaching")
    with monkeypatch.context() as patched:
        patched.setattr(engines, "onnxruntime_runner", fail)
        with pytest.raises(InputError) as caught:
            run(entry, ONNX_RUNTIME, [0, 1])
        assert caught.value.code == "onnx_broken"
    with pytest.raises(InputError):  # a damaged file is not opened at every click
        run(entry, ONNX_RUNTIME, [0, 1])
    monkeypatch.setattr(engines, "RETRY_SECONDS", 0.0)
    assert run(entry, ONNX_RUNTIME, [0, 1])["logits"].shape == (1, 2, 5)
