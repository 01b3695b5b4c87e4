"""OpenVINO on the CPU, in full precision."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from export.runtimes.declaration import Arrays, Environment, Feeds, LoadRequest, Run, Runtime

RUNTIMES = (
    Runtime(
        "openvino",
        "OpenVINO",
        Environment("openvino", "pip", ("openvino==2026.4.1", "numpy==2.4.6")),
        __name__,
        quick=True,
    ),
)


def load(request: LoadRequest) -> Run:
    """Compile the file for one thread and float32 (bfloat16 is the default on some CPUs)."""
    openvino: Any = importlib.import_module("openvino")
    compiled = openvino.Core().compile_model(
        str(request.file), "CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    )

    def run(feeds: Feeds) -> Arrays:
        results = compiled(dict(feeds))
        return {port.get_any_name(): np.array(results[port]) for port in compiled.outputs}

    return run


def version() -> str:
    """The package's version, without the build's hash."""
    openvino: Any = importlib.import_module("openvino")
    return str(openvino.__version__).partition("-")[0]
