"""What the page needs before its first view comes without torch."""

from __future__ import annotations

import subprocess
import sys

import pytest

import model


def imported_by(statement: str) -> set[str]:
    script = f"import sys\n{statement}\nprint('\\n'.join(sys.modules))"
    listing = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(listing.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import model",
        "from model import Vocabulary, MiniGPTConfig, generate",
        "from model.sampling import sample_next_token",
        "from model.trace import trace_shapes",
        "from export.runtimes.onnx_runtime import onnxruntime_runner",
    ],
)
def test_no_torch(statement: str) -> None:
    assert "torch" not in imported_by(statement)


def test_the_check_would_notice_torch() -> None:
    assert "torch" in imported_by("from model import MiniGPT")


@pytest.mark.parametrize("folder", ["gradio", "export", "ui"])
def test_model_imports_no_page_and_no_export(folder: str) -> None:
    assert folder not in imported_by("from model import MiniGPT, teaching_model, generate")


def test_public_names() -> None:
    assert all(getattr(model, name) is not None for name in model.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = model.nothing
