"""From token ids to the whole trace, in the engine a person chose."""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from cachetools import LRUCache

from export.runtimes import Arrays, Ids, Runner
from export.runtimes.editable import editable_runner
from export.runtimes.onnx_runtime import onnxruntime_runner
from model.config import MiniGPTConfig
from model.errors import InputError
from model.parameters import Weights
from model.switches import ALL_ON, Switches
from model.trace import trace_shapes
from ui import torch_loading
from ui.changes import Change, EditableRunner, changed_runner
from ui.model_entry import ModelEntry
from ui.training.service import service

_LOG = logging.getLogger(__name__)

ONNX_RUNTIME, TORCH = "onnxruntime", "torch"
ENGINES = (ONNX_RUNTIME, TORCH)

RETRY_SECONDS = 60.0
_KEPT_RUNNERS = 16  # own models come and go; a runner of this size holds well under 1 MB


def check_engine(engine: Any) -> str:
    """`engine` if it is one; otherwise InputError."""
    if engine not in ENGINES:
        raise InputError("choice", name="engine", choices=", ".join(ENGINES), value=repr(engine))
    return str(engine)


def run(entry: ModelEntry, engine: str, window: list[int], change: Change | None = None) -> Arrays:
    """Every trace value for `window` (1 to context_length ids), with a batch axis of 1.

    Raises:
        InputError: an id, the length or the change is wrong, or PyTorch is not there (yet).
    """
    token_ids = np.array([window], dtype=np.int64)
    return runner(entry, engine, change or Change())(token_ids)


def runner(entry: ModelEntry, engine: str, change: Change) -> Runner:
    """What runs `entry` in `engine`; kept for the next call unless it was changed."""
    if engine == TORCH:
        torch_loading.require()
    if change:
        return changed_runner(entry, _editable(engine), change)
    return _runners.get(entry, engine)


def _editable(engine: str) -> EditableRunner:
    """The engine in the form whose weights and switches are given at every run."""
    if engine == ONNX_RUNTIME:
        return _editable_here
    from export.runtimes.pytorch_editable import pytorch_editable_runner

    return pytorch_editable_runner


def _editable_here(config: MiniGPTConfig, weights: Weights, switches: Switches = ALL_ON) -> Runner:
    """ONNX Runtime's; the form of sizes that are not shipped is made by the training processes."""
    make = functools.partial(editable_runner, source=service.graphs.source)
    return _or_broken(lambda: make(config, weights, switches))


def _make(entry: ModelEntry, engine: str) -> Runner:
    if engine == ONNX_RUNTIME:
        file = entry.onnx_trace
        if file is None:
            return _editable_here(entry.config, entry.weights())
        return _or_broken(lambda: onnxruntime_runner(file))
    from export.runtimes.pytorch import pytorch_runner

    return pytorch_runner(entry.load_torch(), tuple(trace_shapes(entry.config.num_layers)))


def _or_broken(make: Callable[[], Runner]) -> Runner:
    """What `make` makes; if it cannot (a damaged file), a runner that says so when it is used."""
    try:
        return make()
    except InputError:
        raise
    except Exception:  # ONNX Runtime has an exception of its own for each fault of a file
        _LOG.warning("ONNX Runtime cannot run a file; PyTorch goes on alone", exc_info=True)
        return _broken


def _broken(token_ids: Ids) -> Arrays:
    raise InputError("onnx_broken")


class _Runners:
    """The runners used last, of any model and engine; safe to share between threads.

    What could not be made is tried again after RETRY_SECONDS: the machine may have been short of
    something for a moment.
    """

    def __init__(self, size: int) -> None:
        self._kept: LRUCache[tuple[int, str], tuple[ModelEntry, Runner, float]] = LRUCache(size)
        self._lock = threading.Lock()

    def get(self, entry: ModelEntry, engine: str) -> Runner:
        key = (id(entry), engine)  # the entry is kept too, so its id stays its own
        with self._lock:
            found = self._kept.get(key)
            now = time.monotonic()
            if found is None or (found[1] is _broken and now - found[2] >= RETRY_SECONDS):
                found = self._kept[key] = (entry, _make(entry, engine), now)
            return found[1]


_runners = _Runners(_KEPT_RUNNERS)
