"""The near side of a worker: start it, give it a file, ask it for values."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, cast

from export.runtimes.declaration import Arrays, Feeds, Runtime, Task
from export.runtimes.silence import NO_TELEMETRY
from export.runtimes.wire import read_message, write_message

REPOSITORY = Path(__file__).parents[2]
_PATIENCE = 600.0  # seconds for one answer: TVM and IREE compile while loading
_NODE_WORKER = Path(__file__).with_name("worker.mjs")


class EngineError(RuntimeError):
    """An engine refused a file or a run, crashed, or did not answer; the text is its own."""


class Engine:
    """A running worker, as a context manager.

    folder: of the environment, from `environments.folder_of`; None for "here".

    Raises (from `load` and `run`):
        EngineError: with the engine's first line.
    """

    def __init__(self, runtime: Runtime, folder: Path | None, patience: float = _PATIENCE) -> None:
        self.patience = patience
        reading, writing = os.pipe()
        self._log = _log_file(runtime, folder)
        self._process = subprocess.Popen(
            _command(runtime, folder, writing),
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            pass_fds=[writing],
            cwd=folder or REPOSITORY,
            env={**os.environ, **_variables(folder)},
        )
        os.close(writing)
        self._answers: BinaryIO = os.fdopen(reading, "rb", buffering=0)
        self.version = ""

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def load(self, task: Task) -> float:
        """Load a file; seconds it took, with whatever the engine converts or compiles."""
        head, _ = self._ask(
            {
                "do": "load",
                "file": str(task.file),
                "form": task.form,
                "inputs": list(task.inputs),
                "names": list(task.names),
                "sizes": dict(task.sizes),
                "scratch": str(task.scratch),
            },
            {},
        )
        self.version = head["version"]
        return float(head["seconds"])

    def run(self, feeds: Feeds) -> Arrays:
        """The file's outputs for its inputs."""
        return self._ask({"do": "run", "repeat": 1}, feeds)[1]

    def time(self, feeds: Feeds, repeat: int) -> float:
        """Median seconds of a run, measured inside the worker."""
        return float(self._ask({"do": "run", "repeat": repeat}, feeds)[0]["seconds"])

    def close(self) -> None:
        """End the worker."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            self._process.wait(timeout=5)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        finally:
            self._answers.close()
            self._log.close()

    def _ask(self, head: Mapping[str, Any], arrays: Feeds) -> tuple[dict[str, Any], Arrays]:
        stream = cast(BinaryIO, self._process.stdin)
        try:
            write_message(stream, head, arrays)
            answer, result = read_message(_Impatient(self._answers, self.patience))
        except (EOFError, BrokenPipeError) as error:
            code = self._process.wait()
            raise EngineError(f"the engine crashed (exit code {code})") from error
        except TimeoutError as error:
            self._process.kill()
            raise EngineError(f"no answer within {self.patience:.0f} s") from error
        if "error" in answer:
            raise EngineError(answer["error"])
        return answer, result


class _Impatient:
    """A stream that gives up when nothing arrives in time."""

    def __init__(self, stream: BinaryIO, patience: float) -> None:
        self._stream = stream
        self._until = time.monotonic() + patience
        self._selector = selectors.DefaultSelector()
        self._selector.register(stream, selectors.EVENT_READ)

    def read(self, size: int, /) -> bytes | None:
        if not self._selector.select(max(0.0, self._until - time.monotonic())):
            raise TimeoutError
        return self._stream.read(size)


def _command(runtime: Runtime, folder: Path | None, descriptor: int) -> list[str]:
    if runtime.in_node:
        return ["node", str(_NODE_WORKER), runtime.worker, str(descriptor)]
    own = runtime.environment.manager == "pip"
    python = str(folder / "bin" / "python") if own and folder else sys.executable
    return [python, "-m", "export.runtimes.worker", runtime.worker, str(descriptor)]


def _variables(folder: Path | None) -> dict[str, str]:
    """One thread, no telemetry; conversion tools beside the interpreter are found."""
    variables = {
        **NO_TELEMETRY,
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(REPOSITORY),
    }
    if folder is not None:
        variables["PATH"] = f"{folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return variables


def _log_file(runtime: Runtime, folder: Path | None) -> Any:
    """What the engine prints: beside its environment, for whoever must find out why."""
    if folder is None:
        return Path(os.devnull).open("wb")
    return (folder / f"{runtime.name}.log").open("wb")
