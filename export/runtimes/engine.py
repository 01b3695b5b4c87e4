"""The parent's side of an engine's worker: start it, load a file, run it."""

from __future__ import annotations

import os
from pathlib import Path

from export.runtimes.declaration import Arrays, Feeds, LoadRequest, Runtime
from export.runtimes.environments import python_of, python_packages
from export.runtimes.silence import NO_TELEMETRY
from export.workers.child import REPOSITORY, Child

_PATIENCE = 600.0  # seconds for one answer: TVM and IREE compile while loading
_NODE_WORKER = Path(__file__).with_name("worker.mjs")


class Engine(Child):
    """A running worker, as a context manager.

    folder: of the environment, from `environments.folder_of`; None for "here".

    Raises (from `load`, `run` and `time`):
        WorkerError: it rejected the file or the run (with the first line of its message),
            crashed, or did not answer in time.
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
                patience=patience,
            )

    def load(self, request: LoadRequest) -> float:
        """Load a file; return the seconds, including conversion and compilation by the engine."""
        paths = {"file": str(request.file), "scratch": str(request.scratch)}
        head, _ = self.request({"do": "load", **vars(request), **paths})
        self.version = head["version"]
        return float(head["seconds"])

    def run(self, feeds: Feeds) -> Arrays:
        """The file's outputs for its inputs."""
        return self.request({"do": "run", "repeat": 1}, feeds)[1]

    def time(self, feeds: Feeds, repeat: int) -> float:
        """Median seconds of a run, measured inside the worker."""
        return float(self.request({"do": "run", "repeat": repeat}, feeds)[0]["seconds"])


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
