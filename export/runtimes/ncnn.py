"""ncnn: the file converted by pnnx, for one prompt of full length."""

from __future__ import annotations

import importlib
import subprocess
from importlib.metadata import version as installed_version
from typing import Any

import numpy as np

from export.runtimes.declaration import Arrays, Environment, Feeds, LoadRequest, Run, Runtime

RUNTIMES = (
    Runtime(
        "ncnn",
        "ncnn",
        Environment(
            "ncnn", "pip", ("torch==2.13.0", "ncnn==1.0.20261020", "pnnx==20261020", "numpy==2.4.6")
        ),
        __name__,
        forms={"logits": "static-16-words"},
        cannot={
            "trace": "pnnx ends without a word on a file with so many outputs",
            "decode": "no dynamic sizes",
            "generate": "no dynamic sizes",
        },
    ),
)


def load(request: LoadRequest) -> Run:
    """Convert the file with pnnx to ncnn's two files and load them."""
    source = request.scratch / "model.onnx"
    source.write_bytes(request.file.read_bytes())  # pnnx writes next to its input
    # Without fp16=0 the weights are stored in half precision: logits 1e-3 off.
    subprocess.run(
        ["pnnx", source.name, "fp16=0"], cwd=request.scratch, check=True, capture_output=True
    )
    ncnn: Any = importlib.import_module("ncnn")
    net = ncnn.Net()
    net.opt.num_threads = 1
    if net.load_param(str(request.scratch / "model.ncnn.param")) != 0:
        raise RuntimeError("ncnn does not load what pnnx wrote")
    net.load_model(str(request.scratch / "model.ncnn.bin"))

    def run(feeds: Feeds) -> Arrays:
        extractor = net.create_extractor()
        extractor.input("in0", ncnn.Mat(feeds["token_ids"][0].astype(np.int32)).clone())
        _, logits = extractor.extract("out0")
        return {"logits": np.array(logits)[None]}  # [1, T, V]: ncnn has no batch axis

    return run


def version() -> str:
    """The runtime package's version."""
    return installed_version("ncnn")
