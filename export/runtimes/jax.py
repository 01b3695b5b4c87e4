"""jaxonnxruntime: the file as a JAX function."""

from __future__ import annotations

import importlib
import os
from importlib.metadata import version as installed_version
from typing import Any

import numpy as np

from export.runtimes.declaration import (
    EVERY_USE,
    Arrays,
    Environment,
    Feeds,
    LoadRequest,
    Run,
    Runtime,
)

RUNTIMES = (
    Runtime(
        "jaxonnxruntime",
        "jaxonnxruntime",
        Environment(
            "jax",
            "pip",
            (
                "jaxonnxruntime==0.3.0",
                "jax==0.10.2",
                "jaxlib==0.10.2",
                "onnx==1.23.2",
                "absl-py==2.5.1",
                "numpy==2.4.6",
            ),
        ),
        __name__,
        forms=EVERY_USE
        | {
            "logits": "no-layernorm",
            "trace": "no-layernorm-trace",
            "decode": "no-layernorm-decode",
        },
    ),
)


def load(request: LoadRequest) -> Run:
    """One function per input shape: values computed from sizes become constants."""
    # A file with dynamic sizes computes shapes, which are constants for a given input shape.
    os.environ["JAXORT_ONLY_ALLOW_INITIALIZERS_AS_STATIC_ARGS"] = "0"
    reader: Any = importlib.import_module("jaxonnxruntime.call_onnx")
    onnx: Any = importlib.import_module("onnx")
    proto = onnx.load(str(request.file))
    functions: dict[Any, Any] = {}

    def run(feeds: Feeds) -> Arrays:
        shapes = tuple(array.shape for array in feeds.values())
        if shapes not in functions:
            functions[shapes] = reader.call_onnx_model(proto, dict(feeds))
        function, weights = functions[shapes]
        results = function(weights, dict(feeds))
        return {name: np.asarray(value) for name, value in zip(request.names, results, strict=True)}

    return run


def version() -> str:
    """The package's version."""
    return installed_version("jaxonnxruntime")
