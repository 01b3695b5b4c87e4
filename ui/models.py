"""The sets of weights a page can show, by id: "teaching", "trained", "own:<key>"."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import export
from model.config import SIZES, MiniGPTConfig
from model.errors import InputError
from model.parameters import Weights, weights_of
from model.teaching import teaching_state
from model.trained import trained_model, trained_state
from model.vocabulary import Vocabulary

if TYPE_CHECKING:
    from model.network import MiniGPT

FILES = Path(export.__file__).parent / "files"


@dataclass(frozen=True)
class ModelEntry:
    """One set of weights: its words and sizes, and how each engine gets it.

    onnx_trace: the ONNX file (a path, or its bytes) whose outputs are the whole trace; None
        runs the form whose weights are inputs, with these weights.
    load_torch: the same network in PyTorch, in evaluation mode; called once, in any thread.
    load_weights: its weights in NumPy, for an engine that takes them at every run; None reads
        them from `load_torch`.
    """

    id: str
    config: MiniGPTConfig
    vocabulary: Vocabulary
    onnx_trace: Path | bytes | None
    load_torch: Callable[[], MiniGPT]
    load_weights: Callable[[], Weights] | None = None

    def weights(self) -> Weights:
        """Every parameter by state_dict name; not to be changed in place."""
        return self.load_weights() if self.load_weights else weights_of(self.load_torch())

    @functools.cached_property
    def description(self) -> dict[str, Any]:
        """What the browser needs to know of it."""
        sizes = {name: getattr(self.config, name) for name in SIZES}
        return {"id": self.id, "words": list(self.vocabulary.words), "config": sizes}


Provider = Callable[[str], ModelEntry]
"""`own:<key>` -> the entry; raises InputError for a key it does not know."""

_providers: dict[str, Provider] = {}


def provide(prefix: str, provider: Provider) -> None:
    """Let `provider` answer for every id that begins with `prefix` and a colon."""
    _providers[prefix] = provider


@functools.cache
def model_ids() -> tuple[str, ...]:
    """The shipped sets of weights that were present at the start."""
    return tuple(name for name in _SHIPPED if _description_path(name).exists())


def model_entry(model_id: Any) -> ModelEntry:
    """The entry called `model_id`.

    Raises:
        InputError: there is none.
    """
    if isinstance(model_id, str):
        if model_id in model_ids():
            return _shipped_entry(model_id)
        prefix = model_id.partition(":")[0]
        if ":" in model_id and prefix in _providers:
            return _providers[prefix](model_id)
    raise InputError("choice", name="model", choices=", ".join(model_ids()), value=repr(model_id))


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
def _shipped_entry(name: str) -> ModelEntry:
    description = json.loads(_description_path(name).read_text(encoding="utf-8"))
    return ModelEntry(
        id=name,
        config=MiniGPTConfig(**{size: description[size] for size in SIZES}),
        vocabulary=Vocabulary(description["vocabulary"]),
        onnx_trace=_trace_path(name),
        load_torch=_SHIPPED[name],
        load_weights=_WEIGHTS.get(name),
    )
