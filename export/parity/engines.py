"""Which rows are builds or versions of one engine: a table of builds is no count of engines."""

from __future__ import annotations

from collections.abc import Iterable

REFERENCE = "PyTorch"
_ENGINE_OF = {
    "onnxruntime": "ONNX Runtime",
    "onnxruntime-1.15": "ONNX Runtime",
    "onnxruntime-node": "ONNX Runtime",
    "onnxruntime-web": "ONNX Runtime",
    "chromium": "ONNX Runtime",
    "webgpu": "ONNX Runtime",
    "opencv-5": "OpenCV",
    "opencv-4": "OpenCV",
    "onnx2torch": REFERENCE,
    "transformers": REFERENCE,
    "transformers-4.57": REFERENCE,
    "optimum": "ONNX Runtime",
    "transformers-js": "ONNX Runtime",
    "transformers-js-chromium": "ONNX Runtime",
    "genai": "ONNX Runtime",
}
"""A row's name -> the engine that computes; rows that are not listed are engines of their own."""


def engine_of(name: str) -> str:
    """The engine behind a row; several rows may share one."""
    return _ENGINE_OF.get(name, name)


def builds(names: Iterable[str]) -> dict[str, int]:
    """The number of rows of each engine, most first."""
    counts: dict[str, int] = {}
    for name in names:
        engine = engine_of(name)
        counts[engine] = counts.get(engine, 0) + 1
    return dict(sorted(counts.items(), key=lambda entry: -entry[1]))
