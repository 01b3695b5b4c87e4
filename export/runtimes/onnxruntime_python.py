"""ONNX Runtime for Python: the project's own version and the oldest for Python 3.11."""

from __future__ import annotations

from export.runtimes.declaration import Environment, LoadRequest, Run, Runtime

RUNTIMES = (
    Runtime(
        "onnxruntime",
        "ONNX Runtime",
        Environment("here", "here", ("onnxruntime",)),
        __name__,
        quick=True,
    ),
    Runtime(
        "onnxruntime-1.15",
        "ONNX Runtime, oldest for Python 3.11",
        Environment("onnxruntime-1.15.1", "pip", ("onnxruntime==1.15.1", "numpy==1.26.4")),
        __name__,
        quick=True,
    ),
)


def load(request: LoadRequest) -> Run:
    """A session with one thread; its runs take any of the file's inputs."""
    from export.runtimes.onnx_runtime import named_run, session_for

    return named_run(session_for(request.file))


def version() -> str:
    """Of the package."""
    from export.runtimes.onnx_runtime import VERSION

    return VERSION
