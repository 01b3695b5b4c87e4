"""tract: a Rust engine, through its Python package."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from export.runtimes.declaration import Arrays, Environment, Feeds, LoadRequest, Run, Runtime

RUNTIMES = (
    Runtime(
        "tract",
        "tract",
        Environment("tract", "pip", ("tract==0.23.9", "numpy==2.4.6")),
        __name__,
        quick=True,
    ),
)


def load(request: LoadRequest) -> Run:
    """Load the file, optimised; sizes stay symbolic until a run."""
    tract: Any = importlib.import_module("tract")
    model = tract.onnx().load(str(request.file)).into_model()
    runnable = model.into_runnable()

    def run(feeds: Feeds) -> Arrays:
        results = runnable.run([feeds[name] for name in request.inputs])
        return {
            name: np.array(tensor.to_numpy())
            for name, tensor in zip(request.names, results, strict=True)
        }

    return run


def version() -> str:
    """The native library's version."""
    tract: Any = importlib.import_module("tract")
    return str(tract.version())
