"""onnxruntime-genai on a whole folder, through its `genai_config.json`; it reads ids only."""

from __future__ import annotations

import importlib
from importlib.metadata import version as installed_version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from export.runtimes.declaration import Environment, LoadRequest, Run, Runtime
from export.runtimes.folders import AS_IDS, Ids, folder_run

RUNTIMES = (
    Runtime(
        "genai",
        "onnxruntime-genai",
        Environment(
            "genai",
            "pip",
            ("onnxruntime-genai==0.18.0", "onnxruntime==1.32.0", "numpy==2.4.6"),
        ),
        __name__,
        AS_IDS,
        quick=True,
    ),
)
_MOST_ROWS = 32  # of a batch


def load(request: LoadRequest) -> Run:
    """`Model(folder)`, and a generator for each call."""
    genai: Any = importlib.import_module("onnxruntime_genai")
    model = genai.Model(str(request.file))
    words = request.sizes["vocab_size"]

    def generator(token_ids: Ids) -> Any:
        parameters = genai.GeneratorParams(model)
        if len(token_ids) > 1:
            parameters.set_search_options(batch_size=len(token_ids))
        started = genai.Generator(model, parameters)
        started.append_tokens(np.ascontiguousarray(token_ids, np.int32))
        return started

    def logits(token_ids: Ids) -> NDArray[np.float32]:
        pieces = [token_ids[at : at + _MOST_ROWS] for at in range(0, len(token_ids), _MOST_ROWS)]
        given = [generator(piece).get_output("logits") for piece in pieces]
        return np.concatenate(given)[..., :words]  # without the end of text, which is no word

    def ids(token_ids: Ids) -> Ids:
        rows = []
        for row in token_ids:
            started = generator(row[None])
            while not started.is_done():
                started.generate_next_token()
            rows.append(started.get_sequence(0))
        return np.array(rows, np.int64)

    return folder_run(logits, ids=ids)


def version() -> str:
    """The versions of the package and of ONNX Runtime."""
    names = ("onnxruntime-genai", "onnxruntime")
    return ", ".join(f"{name} {installed_version(name)}" for name in names)
