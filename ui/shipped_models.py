"""The sets of weights that are shipped, by id: "teaching", "trained"."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import export
from model.config import SIZES, MiniGPTConfig
from model.errors import InputError
from model.parameters import Weights
from model.teaching import teaching_state
from model.trained import trained_model, trained_state
from model.vocabulary import Vocabulary
from ui.model_entry import ModelEntry

if TYPE_CHECKING:
    from model.network import MiniGPT

FILES = Path(export.__file__).parent / "files"


@functools.cache
def model_ids() -> tuple[str, ...]:
    """The shipped sets of weights whose files were present at the first call."""
    return tuple(name for name in _SHIPPED if _description_path(name).exists())


def _load_teaching() -> MiniGPT:
    from model.teaching import teaching_model

    return teaching_model()


_SHIPPED: dict[str, Callable[[], MiniGPT]] = {
    "teaching": _load_teaching,
    "trained": trained_model,
}
_WEIGHTS: dict[str, Callable[[], Weights]] = {
    "teaching": teaching_state,
    "trained": functools.cache(trained_state),
}


def _description_path(name: str) -> Path:
    return FILES / f"mini_gpt_{name}.json"


def _trace_path(name: str) -> Path:
    return FILES / f"mini_gpt_{name}_trace.onnx"


@functools.cache
def shipped_entry(name: str) -> ModelEntry:
    """The entry of one of `model_ids`."""
    description = json.loads(_description_path(name).read_text(encoding="utf-8"))
    return ModelEntry(
        id=name,
        config=MiniGPTConfig(**{size: description[size] for size in SIZES}),
        vocabulary=Vocabulary(description["vocabulary"]),
        onnx_trace=_trace_path(name),
        load_torch=_SHIPPED[name],
        load_weights=_WEIGHTS.get(name),
    )


def unknown_model(model_id: object) -> InputError:
    """The error for a model id that does not exist."""
    return InputError("choice", name="model", choices=", ".join(model_ids()), value=repr(model_id))
