"""ONNX Runtime on the form whose weights and switches are inputs: an edit needs only a run.

Needs no torch for sizes whose form is shipped. Other sizes are exported on first use, which
needs torch and takes seconds, once.
"""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from export.runtimes import Arrays, Ids, Runner, checked
from export.runtimes.onnx_runtime import INPUT_NAME, Session, session_for
from model.config import MiniGPTConfig
from model.parameters import Weights
from model.switches import ALL_ON, Switches, gate_arrays

FILES = Path(__file__).parent.parent / "files"
SUFFIX = "_editable.onnx"

Source = Callable[[MiniGPTConfig], Path | bytes]
"""Sizes -> the editable form of such a network, as a file or as its bytes."""

_KEPT_SESSIONS = 8  # one per network size; users train networks of many sizes
_SIZES = ("vocab_size", "context_length", "model_dim", "num_heads", "num_layers")


def exported(config: MiniGPTConfig) -> bytes:
    """The editable form of such a network, exported now."""
    from export.forms.editable import editable_onnx  # needs torch, so imported only here

    content: bytes = editable_onnx(config).SerializeToString()
    return content


def editable_runner(
    config: MiniGPTConfig,
    weights: Weights,
    switches: Switches = ALL_ON,
    source: Source = exported,
) -> Runner:
    """A runner of the network with these weights and switches; it outputs the whole trace.

    weights: every parameter, by state_dict name; source: called for the form of sizes that are
    not shipped; its exceptions are passed on.

    Raises:
        KeyError: a parameter is missing.
    """
    return session_runner(editable_session(config, source), config, weights, switches)


def session_runner(
    session: Session,
    config: MiniGPTConfig,
    weights: Weights,
    switches: Switches = ALL_ON,
) -> Runner:
    """As `editable_runner`, on the caller's session of the editable form."""
    names = [output.name for output in session.get_outputs()]
    inputs = {given.name for given in session.get_inputs()}
    constant = _as_float32({name: weights[name] for name in weights if name in inputs})
    gates: dict[int, dict[str, NDArray[np.float32]]] = {}  # by sequence length

    def run(token_ids: Ids) -> Arrays:
        sequence = token_ids.shape[1]
        if sequence not in gates:
            gates[sequence] = gate_arrays(switches, config, sequence)
        feeds = {INPUT_NAME: token_ids, **constant, **gates[sequence]}
        missing = inputs - set(feeds)
        if missing:
            raise KeyError(f"no values for {', '.join(sorted(missing))}")
        arrays: list[Any] = session.run(names, feeds)
        return dict(zip(names, arrays, strict=True))

    return checked(run, config.vocab_size, config.context_length)


def editable_session(config: MiniGPTConfig, source: Source = exported) -> Session:
    """The session for a network of these sizes, cached and shared by all threads."""
    sizes = replace(config, dropout=0.0)  # dropout is an input here
    with _lock:  # torch's exporter is not reentrant
        if sizes not in _sessions:
            _sessions[sizes] = session_for(shipped_file(sizes) or source(sizes))
        return _sessions[sizes]


_lock = threading.Lock()
_sessions: LRUCache[MiniGPTConfig, Session] = LRUCache(_KEPT_SESSIONS)


def shipped_file(config: MiniGPTConfig) -> Path | None:
    """The shipped editable file for networks of these sizes, if there is one."""
    for sizes, path in _shipped_files():
        if sizes == [getattr(config, size) for size in _SIZES] and path.exists():
            return path
    return None


@functools.cache
def _shipped_files() -> list[tuple[list[Any], Path]]:
    """Sizes and file of each; read once, so a later lack of file descriptors does no harm."""
    return [
        (
            list(map(json.loads(path.read_text("utf-8")).get, _SIZES)),
            path.with_name(path.stem + SUFFIX),
        )
        for path in sorted(FILES.glob("*.json"))
    ]


def _as_float32(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    return {name: np.ascontiguousarray(values, np.float32) for name, values in weights.items()}
