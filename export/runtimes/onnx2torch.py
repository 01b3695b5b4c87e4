"""onnx2torch: the file converted back to a PyTorch module."""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import version as installed_version
from types import ModuleType
from typing import Any

from export.runtimes.declaration import Arrays, Environment, Feeds, LoadRequest, Run, Runtime

RUNTIMES = (
    Runtime(
        "onnx2torch",
        "onnx2torch",
        Environment(
            "onnx2torch",
            "pip",
            ("torch==2.13.0", "onnx==1.23.2", "numpy==2.4.6"),
            # It needs torchvision for two image operators only, and that fails with a CPU torch.
            without_dependencies=("onnx2torch==1.5.15",),
        ),
        __name__,
    ),
)


def load(request: LoadRequest) -> Run:
    """Convert the file to a module."""
    _stand_in_for_torchvision()
    torch: Any = importlib.import_module("torch")
    onnx2torch: Any = importlib.import_module("onnx2torch")
    onnx: Any = importlib.import_module("onnx")
    torch.set_num_threads(1)
    proto = onnx.load(str(request.file))
    module = onnx2torch.convert(proto).eval()

    def run(feeds: Feeds) -> Arrays:
        with torch.inference_mode():
            result = module(*(torch.from_numpy(feeds[name]) for name in request.inputs))
        results = result if isinstance(result, (tuple, list)) else (result,)
        return {name: value.numpy() for name, value in zip(request.names, results, strict=True)}

    return run


def version() -> str:
    """The package's version."""
    return installed_version("onnx2torch")


def _stand_in_for_torchvision() -> None:
    vision, operators = ModuleType("torchvision"), ModuleType("torchvision.ops")
    operators.roi_align = None  # type: ignore[attr-defined]
    vision.ops = operators  # type: ignore[attr-defined]
    sys.modules |= {"torchvision": vision, "torchvision.ops": operators}
