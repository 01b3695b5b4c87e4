"""PyTorch is loaded beside the page, and the page does without it where it is not there."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def run_python(program: str) -> str:
    """Run `program` in a fresh interpreter; its output."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_first_view_needs_neither_torch_nor_onnx() -> None:
    program = """
        import sys
        from ui.page import build
        build()
        heavy = {"torch", "onnx", "onnxscript", "export.graph", "model.network"}
        print(sorted(heavy & set(sys.modules)))
    """
    assert run_python(program) == "[]"


def test_while_torch_loads_a_torch_view_says_so_and_onnx_runtime_answers() -> None:
    program = """
        import importlib, threading
        from ui import torch_loading
        from ui.views import differences, view
        go, real = threading.Event(), importlib.import_module

        def slow(name, package=None):
            go.wait(60)
            return real(name, package)

        torch_loading.importlib.import_module = slow
        print(differences({"tokens": [0]})["state"])
        print(view({"tokens": [0], "engine": "torch"})["error"]["code"])
        print("error" in view({"tokens": [0]}))
        go.set()
        torch_loading.wait()
        print(differences({"tokens": [0]})["state"])
        print(view({"tokens": [0], "engine": "torch"})["engine"])
    """
    assert run_python(program).split() == ["loading", "torch_loading", "False", "ready", "torch"]


def test_without_torch_the_page_goes_on_with_onnx_runtime() -> None:
    program = """
        import logging, sys
        logging.disable()
        sys.modules["torch"] = None  # import torch now raises ImportError
        from model.errors import InputError
        from ui import torch_loading
        from ui.views import differences, step, view
        try:
            torch_loading.wait()
        except InputError as error:
            print(error.code)
        print(differences({"tokens": [0]})["state"])
        print(view({"tokens": [0], "engine": "torch"})["error"]["code"])
        print(step({"tokens": [0, 1]})["next_id"])
    """
    assert run_python(program).split() == ["torch_missing", "missing", "torch_missing", "3"]
