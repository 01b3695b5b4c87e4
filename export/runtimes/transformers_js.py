"""transformers.js on a whole folder, in Node and in a browser.

A folder is read from this machine: remote models are switched off. The pipeline asks for 256
words unless told otherwise, past the context, so it is given the number; everything else is the
default.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from export.runtimes.declaration import Environment, LoadRequest, Run, Runtime
from export.runtimes.folders import AS_TEXT, Ids, folder_run
from export.runtimes.json_lines import Ask, NodeScript

ENVIRONMENT = Environment(
    "transformers-js",
    "npm",
    ("@huggingface/transformers@4.3.2",),
    # onnxruntime-node's install script downloads a GPU build.
    variables={"npm_config_ignore_scripts": "true", "ONNXRUNTIME_NODE_INSTALL": "skip"},
)
RUNTIMES = (
    Runtime(
        "transformers-js",
        "transformers.js in node",
        ENVIRONMENT,
        __name__,
        AS_TEXT,
        quick=True,
    ),
)
PIPELINE = Path(__file__).with_name("transformers_js.mjs")
_NODE = Path(__file__).with_name("transformers_js_node.mjs")


def load(request: LoadRequest) -> Run:
    """`pipeline("text-generation", folder)` in Node."""
    return run_by(NodeScript(_NODE, request.file), request.sizes["context_length"])


def run_by(ask: Ask, context_length: int) -> Run:
    """A run by questions: {rows}, or {prompts, length}."""

    def logits(token_ids: Ids) -> NDArray[np.float32]:
        rows = [ask({"rows": piece.tolist()}) for piece in _pieces(token_ids)]
        return np.concatenate([np.array(each, np.float32) for each in rows])

    def texts(prompts: list[str]) -> list[str]:
        given: list[str] = ask({"prompts": prompts, "length": context_length})
        return [text.removeprefix(prompt) for text, prompt in zip(given, prompts, strict=True)]

    return folder_run(logits, texts)


def version() -> str:
    """The npm package's version."""
    return package_version()


def package_version() -> str:
    path = Path("node_modules/@huggingface/transformers/package.json")
    stated: str = json.loads(path.read_text(encoding="utf-8"))["version"]
    return stated


def _pieces(token_ids: Ids) -> list[Ids]:
    return [token_ids[at : at + 512] for at in range(0, len(token_ids), 512)]
