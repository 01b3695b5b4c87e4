"""IREE: the file compiled through MLIR for this CPU."""

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
        "iree",
        "IREE",
        Environment(
            "iree",
            "pip",
            (
                "iree-base-compiler==3.13.0",
                "iree-base-runtime==3.13.0",
                "onnx==1.23.2",
                "numpy==2.4.6",
            ),
        ),
        __name__,
        cannot={"generate": "iree-compile crashes on a Loop whose value grows"},
    ),
)


def load(request: LoadRequest) -> Run:
    """Import the file, compile it with dynamic sizes, and load it."""
    compiler: Any = importlib.import_module("iree.compiler")
    runtime: Any = importlib.import_module("iree.runtime")
    mlir = request.scratch / "model.mlir"
    importer = [sys.executable, "-m", "iree.compiler.tools.import_onnx", str(request.file)]
    subprocess.run([*importer, "-o", str(mlir)], check=True, capture_output=True)
    flatbuffer = compiler.tools.compile_file(
        str(mlir),
        target_backends=["llvm-cpu"],
        input_type="onnx",
        extra_args=["--iree-llvmcpu-target-cpu=host"],
    )
    module = runtime.load_vm_flatbuffer(flatbuffer, driver="local-sync")
    entry = module["mini_gpt"]

    def run(feeds: Feeds) -> Arrays:
        result = entry(*(feeds[name] for name in request.inputs))
        results = result if isinstance(result, tuple) else (result,)
        return {
            name: np.array(value.to_host())
            for name, value in zip(request.names, results, strict=True)
        }

    return run


def version() -> str:
    """The runtime package's version."""
    return installed_version("iree-base-runtime")
