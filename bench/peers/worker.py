"""One peer in its own process: commands come as JSON lines, timings go back the same way.

    python -m bench.peers.worker MODULE

Started by `bench.peers.process`. What a peer prints goes to standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.peers.declaration import Engine, Task

Command = dict[str, Any]


def main() -> None:
    """Answer commands until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # engines print from C too
    module = importlib.import_module(sys.argv[1])
    session = Session(module)
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer = session.answer(command)
        except Exception as error:  # the parent names it and goes on with the others
            answer = {"failed": f"{type(error).__name__}: {error}"[:500]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class Session:
    """The loaded engine, and the commands it answers."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._engine: Engine | None = None

    def answer(self, command: Command) -> Command:
        """Do what `command["do"]` says."""
        commands: dict[str, Callable[[Command], Command]] = {
            "convert": self._convert,
            "load": self._load,
            "prefill": self._prefill,
            "steps": self._steps,
            "generate": self._generate,
            "memory": self._memory,
            "version": self._version,
        }
        return commands[command["do"]](command)

    def _convert(self, command: Command) -> Command:
        started = time.perf_counter()
        convert = getattr(self._module, "convert", None)
        if convert is not None:
            convert(_task(command))
        return {"seconds": time.perf_counter() - started, "peak_mb": peak_mb()}

    def _load(self, command: Command) -> Command:
        started = time.perf_counter()
        self._engine = self._module.load(_task(command))
        return {"seconds": time.perf_counter() - started}

    def _prefill(self, command: Command) -> Command:
        token_ids = np.array(command["token_ids"], dtype=np.int64)
        started = time.perf_counter()
        next_ids = self._loaded().prefill(token_ids)
        return {"seconds": [time.perf_counter() - started], "tokens": _listed([next_ids])}

    def _steps(self, command: Command) -> Command:
        """Fill the cache untimed, then time each step by itself."""
        engine, token_ids = self._loaded(), np.array(command["token_ids"], dtype=np.int64)
        seconds: list[float] = []
        for _ in range(command["repeats"]):
            chosen = [engine.prefill(token_ids)]
            for _ in range(command["count"]):
                started = time.perf_counter()
                chosen.append(engine.step())
                seconds.append(time.perf_counter() - started)
        return {"seconds": seconds, "tokens": _listed(chosen)}

    def _generate(self, command: Command) -> Command:
        """Seconds for each sampled word, measured over `repeats` texts."""
        engine, count = self._loaded(), command["count"]
        token_ids = np.array(command["token_ids"], dtype=np.int64)
        seconds: list[float] = []
        for _ in range(command["repeats"]):
            started = time.perf_counter()
            engine.generate(token_ids, count)
            seconds.append((time.perf_counter() - started) / count)
        return {"seconds": seconds}

    def _memory(self, _: Command) -> Command:
        return {"peak_mb": peak_mb()}

    def _version(self, _: Command) -> Command:
        return {"version": self._module.version()}

    def _loaded(self) -> Engine:
        if self._engine is None:
            raise RuntimeError("nothing is loaded")
        return self._engine


def peak_mb() -> float:
    """The most memory this process has held at once, in megabytes (10^6 bytes)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e6


def _task(command: Command) -> Task:
    return Task(
        sizes=command["sizes"],
        weights=Path(command["weights"]),
        scratch=Path(command["scratch"]),
        threads=command["threads"],
        setting=command["setting"],
    )


def _listed(rows: list[Any]) -> list[list[int]]:
    return [[int(token) for token in row] for row in rows]


if __name__ == "__main__":
    main()
