"""ONNX Runtime for Python: the project's version and the oldest one for Python 3.11."""

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
    """A session with one thread; a run takes the file's inputs by name."""
    from export.runtimes.onnx_runtime import named_run, session_for

    return named_run(session_for(request.file))


def version() -> str:
    """The package's version."""
    from export.runtimes.onnx_runtime import VERSION

    return VERSION
