"""The parent's side of an engine's worker: start it, load a file, run it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from export.runtimes.declaration import Arrays, Feeds, LoadRequest, Runtime
from export.runtimes.environments import python_of, python_packages
from export.runtimes.silence import NO_TELEMETRY
from export.workers.child import REPOSITORY, Child, LateError, WorkerError
from export.workers.wire import Head, Message

_PATIENCE = 600.0  # seconds for one answer: TVM and IREE compile while loading
_TIMING = 5.0  # seconds after which no further run is timed
_NODE_WORKER = Path(__file__).with_name("worker.mjs")


class SlowError(WorkerError):
    """An engine took longer than it was given; the text says that it is slow."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"{SLOW} not done within {seconds:.0f} s")


SLOW = "slow:"
"""How the text of a `SlowError` begins."""


class Engine(Child):
    """A running worker, as a context manager.

    folder: of the environment, from `environments.folder_of`; None for "here".
    patience: seconds for all answers together, until `give` sets others.

    Raises (from `load`, `run` and `time`):
        SlowError: the time is over; the worker was killed.
        WorkerError: it rejected the file or the run (with the first line of its message), or
            crashed.
    """

    end_text = "the engine crashed (exit code {})"

    def __init__(self, runtime: Runtime, folder: Path | None, patience: float = _PATIENCE) -> None:
        self.version = ""
        # Its output goes to a log in its environment, for finding out why it failed.
        log = folder / f"{runtime.name}.log" if folder else Path(os.devnull)
        with log.open("wb") as file:
            super().__init__(
                _command(runtime, folder),
                folder=folder or REPOSITORY,
                variables=_variables(folder),
                log=file,
            )
        self.give(patience)

    def give(self, seconds: float) -> None:
        """The time for all answers from now on, together."""
        self._given = seconds
        self._until = time.monotonic() + seconds

    def request(self, head: Head, arrays: Mapping[str, NDArray[Any]] | None = None) -> Message:
        """As of any worker, in the time that is left."""
        self.patience = max(self._until - time.monotonic(), 0)
        try:
            return super().request(head, arrays)
        except LateError as error:
            raise SlowError(self._given) from error

    def load(self, request: LoadRequest) -> float:
        """Load a file; return the seconds, including conversion and compilation by the engine."""
        paths = {"file": str(request.file), "scratch": str(request.scratch)}
        head, _ = self.request({"do": "load", **vars(request), **paths})
        self.version = head["version"]
        return float(head["seconds"])

    def run(self, feeds: Feeds) -> Arrays:
        """The file's outputs for its inputs."""
        return self.request({"do": "run", "repeat": 1, "within": _TIMING}, feeds)[1]

    def time(self, feeds: Feeds, repeat: int) -> float:
        """Median seconds of a run, measured inside the worker; of fewer runs if they are slow."""
        head = {"do": "run", "repeat": repeat, "within": _TIMING}
        return float(self.request(head, feeds)[0]["seconds"])


def _command(runtime: Runtime, folder: Path | None) -> list[str]:
    if runtime.in_node:
        return ["node", str(_NODE_WORKER), runtime.worker]
    python = python_of(runtime.environment, folder)
    return [python, "-m", "export.runtimes.worker", runtime.worker]


def _variables(folder: Path | None) -> dict[str, str]:
    """One thread, no telemetry; the environment's own tools are on the PATH."""
    variables = {
        **NO_TELEMETRY,
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(REPOSITORY),
    }
    if folder is not None:
        variables["PYTHONPATH"] += f"{os.pathsep}{python_packages(folder)}"
        variables["PATH"] = f"{folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return variables
