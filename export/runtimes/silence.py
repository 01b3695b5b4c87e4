"""Variables that disable an engine's telemetry, set before the engine is loaded."""

from __future__ import annotations

NO_TELEMETRY = {"ORT_DISABLE_TELEMETRY": "1"}
"""Read by ONNX Runtime 1.30 for Node and 1.32 for Python at load time; without it both write
`~/.cache/Microsoft/DeveloperTools/.onnxruntime/` and look up a Microsoft host. ONNX Runtime for
the web has no such code."""
