"""Hugging Face transformers and optimum on a whole folder, with their default arguments."""

from __future__ import annotations

import importlib
from importlib.metadata import version as installed_version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from export.runtimes.declaration import Environment, LoadRequest, Run, Runtime
from export.runtimes.folders import AS_TEXT, Ids, folder_run

RUNTIMES = (
    Runtime(
        "transformers",
        "transformers",
        Environment(
            "transformers",
            "pip",
            ("torch==2.13.0", "transformers==5.24.0", "numpy==2.4.6"),
            shares=True,
        ),
        __name__,
        AS_TEXT,
        quick=True,
    ),
)


def load(request: LoadRequest) -> Run:
    """`pipeline("text-generation", folder)`."""
    transformers: Any = importlib.import_module("transformers")
    generator = transformers.pipeline("text-generation", str(request.file))
    return pipeline_run(generator)


def pipeline_run(generator: Any) -> Run:
    """A run by a text-generation pipeline."""
    torch: Any = importlib.import_module("torch")
    torch.set_num_threads(1)

    def logits(token_ids: Ids) -> NDArray[np.float32]:
        with torch.inference_mode():
            given = torch.from_numpy(np.ascontiguousarray(token_ids))
            mask = torch.ones_like(given)
            positions = torch.arange(given.shape[1]).expand_as(given)
            result = generator.model(input_ids=given, attention_mask=mask, position_ids=positions)
        values: NDArray[np.float32] = result.logits.numpy()
        return values

    def texts(prompts: list[str]) -> list[str]:
        # One after the other: a batch would need a padding word.
        whole = [generator(prompt)[0]["generated_text"] for prompt in prompts]
        return [text.removeprefix(prompt) for text, prompt in zip(whole, prompts, strict=True)]

    return folder_run(logits, texts)


def version() -> str:
    """The package's version."""
    return installed_version("transformers")
