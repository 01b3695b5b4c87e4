"""Apache TVM: the file compiled through Relax for this CPU."""

from __future__ import annotations

import importlib
from typing import Any

from export.runtimes.declaration import Arrays, Environment, Feeds, LoadRequest, Run, Runtime

RUNTIMES = (
    Runtime(
        "tvm",
        "Apache TVM",
        Environment("tvm", "pip", ("apache-tvm==0.27.0.post1", "onnx==1.23.2", "numpy==2.4.6")),
        __name__,
    ),
)


def load(request: LoadRequest) -> Run:
    """Compile the file with symbolic sizes."""
    onnx: Any = importlib.import_module("onnx")
    tvm: Any = importlib.import_module("tvm")
    relax: Any = importlib.import_module("tvm.relax")
    frontend: Any = importlib.import_module("tvm.relax.frontend.onnx")
    proto = onnx.load(str(request.file))
    module = frontend.from_onnx(proto, keep_params_in_input=False)
    machine = relax.VirtualMachine(tvm.compile(module, target="llvm"), tvm.cpu())

    def run(feeds: Feeds) -> Arrays:
        tensors = [tvm.runtime.tensor(feeds[name]) for name in request.inputs]
        result = machine["main"](*tensors)
        results = [result] if hasattr(result, "numpy") else list(result)
        return {name: value.numpy() for name, value in zip(request.names, results, strict=True)}

    return run


def version() -> str:
    """The package's version."""
    tvm: Any = importlib.import_module("tvm")
    return str(tvm.__version__)
