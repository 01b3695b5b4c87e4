"""From token ids to the whole trace, in the chosen engine."""

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
_KEPT_RUNNERS = 16  # trained models change often; a runner of this size takes well under 1 MB


def check_engine(engine: Any) -> str:
    """`engine`, or InputError if there is none of that name."""
    if engine not in ENGINES:
        raise InputError("choice", name="engine", choices=", ".join(ENGINES), value=repr(engine))
    return str(engine)


def run(entry: ModelEntry, engine: str, window: list[int], change: Change | None = None) -> Arrays:
    """Every trace value for `window` (1 to context_length ids), with a batch axis of 1.

    Raises:
        InputError: an id, the length or the change is invalid, or PyTorch is not available (yet).
    """
    token_ids = np.array([window], dtype=np.int64)
    return runner(entry, engine, change or Change())(token_ids)


def runner(entry: ModelEntry, engine: str, change: Change) -> Runner:
    """A runner of `entry` in `engine`; cached if there is no change."""
    if engine == TORCH:
        torch_loading.require()
    if change:
        return changed_runner(entry, _editable(engine), change)
    return _runners.get(entry, engine)


def _editable(engine: str) -> EditableRunner:
    """The engine's runner that takes weights and switches as inputs of each run."""
    if engine == ONNX_RUNTIME:
        return _editable_here
    from export.runtimes.pytorch_editable import pytorch_editable_runner

    return pytorch_editable_runner


def _editable_here(config: MiniGPTConfig, weights: Weights, switches: Switches = ALL_ON) -> Runner:
    """ONNX Runtime's; worker processes export the graph for sizes that are not shipped."""
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
    """The runner `make` returns; if that fails (a damaged file), one that raises when called."""
    try:
        return make()
    except InputError:
        raise
    except Exception:  # ONNX Runtime raises a different class for each kind of invalid file
        _LOG.warning("ONNX Runtime cannot run a file; only PyTorch can be used", exc_info=True)
        return _broken


def _broken(token_ids: Ids) -> Arrays:
    raise InputError("onnx_broken")


class _Runners:
    """An LRU cache of runners by model and engine; thread-safe.

    A runner that could not be made is tried again after RETRY_SECONDS: the cause may have been
    a temporary lack of memory or file descriptors.
    """

    def __init__(self, size: int) -> None:
        self._kept: LRUCache[tuple[int, str], tuple[ModelEntry, Runner, float]] = LRUCache(size)
        self._lock = threading.Lock()

    def get(self, entry: ModelEntry, engine: str) -> Runner:
        key = (id(entry), engine)  # the cache also holds the entry, so its id is not reused
        with self._lock:
            found = self._kept.get(key)
            now = time.monotonic()
            if found is None or (found[1] is _broken and now - found[2] >= RETRY_SECONDS):
                found = self._kept[key] = (entry, _make(entry, engine), now)
            return found[1]


_runners = _Runners(_KEPT_RUNNERS)
