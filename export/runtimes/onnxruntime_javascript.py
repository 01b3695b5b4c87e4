"""ONNX Runtime for JavaScript, in Node: the native build, and the browsers' WebAssembly build."""

from __future__ import annotations

from export.runtimes.declaration import Environment, Runtime

WEB = Environment("onnxruntime-web", "npm", ("onnxruntime-web@1.30.0",))

RUNTIMES = (
    Runtime(
        "onnxruntime-node",
        "onnxruntime-node",
        Environment(
            "onnxruntime-node",
            "npm",
            ("onnxruntime-node@1.30.0",),
            variables={"ONNXRUNTIME_NODE_INSTALL": "skip"},  # or it downloads a GPU build
        ),
        "onnxruntime-node",
        quick=True,
    ),
    Runtime(
        "onnxruntime-web", "onnxruntime-web (wasm) in node", WEB, "onnxruntime-web", quick=True
    ),
)
