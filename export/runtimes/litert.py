"""LiteRT (TensorFlow Lite): the file converted by onnx2tf, for one prompt of full length.

A file with dynamic sizes converts too, but gives wrong values without an error (2.1 off).
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
        "litert",
        "LiteRT",
        Environment("litert", "pip", ("onnx2tf==1.29.24",)),
        __name__,
        forms={"logits": "static"},
        cannot={
            "trace": "onnx2tf mixes up the names of outputs that are constant or equal",
            "decode": "dynamic sizes are converted wrongly",
            "generate": "dynamic sizes are converted wrongly",
        },
    ),
)


def load(request: LoadRequest) -> Run:
    """Convert the file with onnx2tf and load it."""
    _convert(request)
    litert: Any = importlib.import_module("ai_edge_litert.interpreter")
    (converted,) = request.scratch.glob("*_float32.tflite")
    interpreter = litert.Interpreter(str(converted), num_threads=1)
    call = interpreter.get_signature_runner("serving_default")

    def run(feeds: Feeds) -> Arrays:
        results = call(**feeds)
        return {name: np.array(results[name]) for name in request.names}

    return run


def version() -> str:
    """The runtime package's version."""
    return installed_version("ai-edge-litert")


def _convert(request: LoadRequest) -> None:
    """Run onnx2tf: inputs unchanged, outputs named as in the file."""
    keep = [part for name in request.inputs for part in ("-kat", name)]
    command = [sys.executable, "-m", "onnx2tf", "-i", str(request.file), "-o", str(request.scratch)]
    subprocess.run([*command, *keep, "-coion", "-n"], check=True, capture_output=True)
