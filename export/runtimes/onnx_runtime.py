"""ONNX Runtime on the CPU: the only module that imports it and opens sessions.

ONNX Runtime 1.32 contacts a host of its vendor and leaves files under the home folder, in every
process that loads a model, unless a variable disables it before the import. So everything else
imports it from here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from export.runtimes import Arrays, Ids, Runner, checked
from export.runtimes.silence import NO_TELEMETRY

os.environ.update(NO_TELEMETRY)
import onnxruntime as onnxruntime  # reads the variable at import

Session: TypeAlias = onnxruntime.InferenceSession
VERSION = str(onnxruntime.__version__)

INPUT_NAME = "token_ids"
EVERY_CORE = 0  # ONNX Runtime's value for one thread per core
_ERROR = 3  # the lowest severity that ONNX Runtime prints


def session_for(source: Path | bytes, threads: int = 1) -> Session:
    """A session on the CPU; for a network this small, one thread and no spinning.

    Two threads on two cores took 2.3 times as long for a run of the teaching model.

    threads: of one operation, or `EVERY_CORE`.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    if threads == 1:
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = _ERROR
    model = source if isinstance(source, bytes) else str(source)
    return Session(model, options, providers=["CPUExecutionProvider"])


def named_run(session: Session) -> Callable[[Mapping[str, Any]], Arrays]:
    """A run from inputs by name to outputs by name, without checks."""
    names = [output.name for output in session.get_outputs()]

    def run(feeds: Mapping[str, Any]) -> Arrays:
        return dict(zip(names, session.run(names, dict(feeds)), strict=True))

    return run


def onnxruntime_runner(source: Path | bytes) -> Runner:
    """A runner for a file that `python -m export` wrote; it returns the file's outputs.

    source: a path, or the file's bytes. The sizes for the checks are read from its metadata.

    Raises:
        ValueError: the file does not state its sizes.
    """
    session = session_for(source)
    names = [output.name for output in session.get_outputs()]
    stated = session.get_modelmeta().custom_metadata_map
    missing = [name for name in ("vocab_size", "context_length") if name not in stated]
    if missing:
        raise ValueError(f"the file's metadata does not state {', '.join(missing)}")

    def run(token_ids: Ids) -> Arrays:
        arrays: list[Any] = session.run(names, {INPUT_NAME: token_ids})
        return dict(zip(names, arrays, strict=True))

    return checked(run, int(stated["vocab_size"]), int(stated["context_length"]))
