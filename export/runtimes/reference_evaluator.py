"""ONNX's own reference implementation, in NumPy."""

from __future__ import annotations

import importlib
from typing import Any

from export.runtimes.declaration import Arrays, Environment, Feeds, LoadRequest, Run, Runtime

RUNTIMES = (
    Runtime(
        "reference",
        "onnx ReferenceEvaluator",
        Environment("here", "here", ("onnx",)),
        __name__,
        quick=True,
    ),
)


def load(request: LoadRequest) -> Run:
    """Load the file into an evaluator."""
    module: Any = importlib.import_module("onnx.reference")
    evaluator = module.ReferenceEvaluator(str(request.file))

    def run(feeds: Feeds) -> Arrays:
        return dict(zip(evaluator.output_names, evaluator.run(None, dict(feeds)), strict=True))

    return run


def version() -> str:
    """The package's version."""
    onnx: Any = importlib.import_module("onnx")
    return str(onnx.__version__)
