"""transformers 4.57 on a whole folder: the newest that optimum-onnx 0.1 takes."""

from __future__ import annotations

from export.runtimes.declaration import Runtime
from export.runtimes.folders import AS_TEXT
from export.runtimes.optimum import ENVIRONMENT
from export.runtimes.transformers import load, version

__all__ = ["RUNTIMES", "load", "version"]

RUNTIMES = (
    Runtime("transformers-4.57", "transformers 4.57", ENVIRONMENT, __name__, AS_TEXT, quick=True),
)
