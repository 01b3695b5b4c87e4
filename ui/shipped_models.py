"""The sets of weights that are shipped, by id: see `model.shipped`."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import export
from model.config import SIZES, MiniGPTConfig
from model.errors import InputError
from model.shipped import SHIPPED
from model.vocabulary import LESSON_WORDS
from model.weights_file import words_stated
from ui.model_entry import ModelEntry

FILES = Path(export.__file__).parent / "files"


@functools.cache
def model_ids() -> tuple[str, ...]:
    """The shipped sets of weights whose files were present at the first call."""
    return tuple(name for name in SHIPPED if _description_path(name).exists())


def _description_path(name: str) -> Path:
    return FILES / f"mini_gpt_{name}.json"


def _trace_path(name: str) -> Path:
    return FILES / f"mini_gpt_{name}_trace.onnx"


@functools.cache
def shipped_entry(name: str) -> ModelEntry:
    """The entry of one of `model_ids`."""
    description = json.loads(_description_path(name).read_text(encoding="utf-8"))
    vocabulary = words_stated(description)
    assert vocabulary is not None  # `describe` wrote them
    return ModelEntry(
        id=name,
        config=MiniGPTConfig(**{size: description[size] for size in SIZES}),
        vocabulary=vocabulary,
        onnx_trace=_trace_path(name),
        load_torch=SHIPPED[name].load,
        load_weights=SHIPPED[name].weights,
        sentences=tuple(tuple(vocabulary.encode(line)) for line in SHIPPED[name].lines),
    )


def other_words() -> list[dict[str, Any]]:
    """The descriptions of the shipped models that have other words than the lesson's."""
    entries = [shipped_entry(name) for name in model_ids()]
    return [each.description for each in entries if each.vocabulary != LESSON_WORDS]


def unknown_model(model_id: object) -> InputError:
    """The error for a model id that does not exist."""
    return InputError("choice", name="model", choices=", ".join(model_ids()), value=repr(model_id))
