"""tinygrad: the file as lazy tensors, compiled by clang, or interpreted by Python without it."""

from __future__ import annotations

import importlib
import os
import shutil
from importlib.metadata import version as installed_version
from typing import Any

from export.runtimes.declaration import Arrays, Environment, Feeds, LoadRequest, Run, Runtime

RUNTIMES = (
    Runtime(
        "tinygrad",
        "tinygrad",
        Environment("tinygrad", "pip", ("tinygrad==0.14.0", "numpy==2.4.6")),
        __name__,
    ),
)


def load(request: LoadRequest) -> Run:
    """One runner of the file per input shape: its sizes are fixed at the first run."""
    if shutil.which("clang") is None:
        os.environ["DEV"] = "PYTHON"  # no compiler: every operation is interpreted
    tinygrad: Any = importlib.import_module("tinygrad")
    reader: Any = importlib.import_module("tinygrad.nn.onnx")
    runners: dict[Any, Any] = {}

    def run(feeds: Feeds) -> Arrays:
        shapes = tuple(array.shape for array in feeds.values())
        if shapes not in runners:
            runners[shapes] = reader.OnnxRunner(str(request.file))
        tensors = {name: tinygrad.Tensor(array) for name, array in feeds.items()}
        results = runners[shapes](tensors)
        return {name: value.numpy() for name, value in results.items()}

    return run


def version() -> str:
    """The package's version."""
    return installed_version("tinygrad")
