"""optimum with ONNX Runtime on a whole folder, with a KV cache; it needs transformers 4.57."""

from __future__ import annotations

import importlib
from importlib.metadata import version as installed_version
from typing import Any

from export.runtimes.declaration import Environment, LoadRequest, Run, Runtime
from export.runtimes.folders import AS_TEXT
from export.runtimes.transformers import pipeline_run

ENVIRONMENT = Environment(
    "optimum-onnx",
    "pip",
    (
        "torch==2.13.0",
        "optimum-onnx==0.1.0",
        "transformers==4.57.6",
        "onnxruntime==1.32.0",
        "numpy==2.4.6",
    ),
    shares=True,
)

RUNTIMES = (
    Runtime("optimum", "optimum, ONNX Runtime", ENVIRONMENT, __name__, AS_TEXT, quick=True),
)


def load(request: LoadRequest) -> Run:
    """`ORTModelForCausalLM` in a pipeline."""
    onnxruntime: Any = importlib.import_module("optimum.onnxruntime")
    transformers: Any = importlib.import_module("transformers")
    folder = str(request.file)
    model = onnxruntime.ORTModelForCausalLM.from_pretrained(folder)
    if not model.can_use_cache:
        raise RuntimeError("optimum does not use the cache")
    words = transformers.AutoTokenizer.from_pretrained(folder)
    return pipeline_run(transformers.pipeline("text-generation", model=model, tokenizer=words))


def version() -> str:
    """The versions of optimum-onnx, ONNX Runtime and transformers."""
    names = ("optimum-onnx", "onnxruntime", "transformers")
    return ", ".join(f"{name} {installed_version(name)}" for name in names)
