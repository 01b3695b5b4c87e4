"""MNN: the file converted to MNN's own format.

The `mnnconvert` command is not used: importing it installs a logging package in its Python
environment. The converter inside the package is called directly.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from importlib.metadata import version as installed_version
from typing import Any

import numpy as np

from export.runtimes.declaration import Arrays, Environment, Feeds, LoadRequest, Run, Runtime

RUNTIMES = (
    Runtime(
        "mnn",
        "MNN",
        Environment("mnn", "pip", ("MNN==3.6.1", "numpy==2.4.6")),
        __name__,
        cannot={"generate": "the converter crashes on the Loop (SIGFPE)"},
    ),
)

_SCRIPT = "import sys, _tools; _tools.mnnconvert(sys.argv)"
_CONVERT = (sys.executable, "-c", _SCRIPT, "-f", "ONNX", "--bizCode", "mini_gpt")


def load(request: LoadRequest) -> Run:
    """Convert the file and load it; sizes are taken from each run."""
    converted = request.scratch / "model.mnn"
    subprocess.run(
        [*_CONVERT, "--modelFile", str(request.file), "--MNNModel", str(converted)],
        check=True,
        capture_output=True,
    )
    expr: Any = importlib.import_module("MNN.expr")
    nn: Any = importlib.import_module("MNN.nn")
    inputs = list(request.inputs)
    module = nn.load_module_from_file(str(converted), inputs, list(request.names))

    def variable(array: np.ndarray[Any, Any]) -> Any:
        if array.dtype == np.int64:  # otherwise silently read as pairs of int32
            return expr.const(array.astype(np.int32), list(array.shape), expr.NCHW, expr.int)
        return expr.const(array, list(array.shape), expr.NCHW, expr.float)

    def run(feeds: Feeds) -> Arrays:
        results = module.forward([variable(feeds[name]) for name in inputs])
        return {
            name: np.array(value.read()) for name, value in zip(request.names, results, strict=True)
        }

    return run


def version() -> str:
    """The package's version."""
    return installed_version("MNN")
