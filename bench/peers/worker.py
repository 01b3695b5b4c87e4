"""The process of one peer: receives commands as messages and answers with timings.

    python -m bench.peers.worker MODULE

Started by `bench.peers.process`. A peer's output goes to standard error.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.peers.declaration import LoadedPeer, PeerSetup
from export.workers.serving import Channel
from export.workers.wire import Head


def main() -> None:
    """Answer commands until the end of standard input."""
    channel = Channel()
    session = Session(importlib.import_module(sys.argv[1]))
    channel.serve(lambda command, _: (session.answer(command), {}))


class Session:
    """The loaded engine, and its commands."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._engine: LoadedPeer | None = None

    def answer(self, command: Head) -> Head:
        """Carry out the command `command["do"]`."""
        commands: dict[str, Callable[[Head], Head]] = {
            "convert": self._convert,
            "load": self._load,
            "prefill": self._prefill,
            "steps": self._steps,
            "generate": self._generate,
            "memory": self._memory,
            "version": self._version,
        }
        return commands[command["do"]](command)

    def _convert(self, command: Head) -> Head:
        started = time.perf_counter()
        convert = getattr(self._module, "convert", None)
        if convert is not None:
            convert(_setup(command))
        return {"seconds": time.perf_counter() - started, "peak_mb": peak_mb()}

    def _load(self, command: Head) -> Head:
        started = time.perf_counter()
        self._engine = self._module.load(_setup(command))
        return {"seconds": time.perf_counter() - started}

    def _prefill(self, command: Head) -> Head:
        token_ids = np.array(command["token_ids"], dtype=np.int64)
        started = time.perf_counter()
        next_ids = self._loaded().prefill(token_ids)
        return {"seconds": [time.perf_counter() - started], "tokens": _listed([next_ids])}

    def _steps(self, command: Head) -> Head:
        """Fill the cache untimed, then time each step separately."""
        engine, token_ids = self._loaded(), np.array(command["token_ids"], dtype=np.int64)
        seconds: list[float] = []
        for _ in range(command["repeats"]):
            chosen = [engine.prefill(token_ids)]
            for _ in range(command["count"]):
                started = time.perf_counter()
                chosen.append(engine.step())
                seconds.append(time.perf_counter() - started)
        return {"seconds": seconds, "tokens": _listed(chosen)}

    def _generate(self, command: Head) -> Head:
        """Seconds per sampled token, for each of `repeats` texts."""
        engine, count = self._loaded(), command["count"]
        token_ids = np.array(command["token_ids"], dtype=np.int64)
        seconds: list[float] = []
        for _ in range(command["repeats"]):
            started = time.perf_counter()
            engine.generate(token_ids, count)
            seconds.append((time.perf_counter() - started) / count)
        return {"seconds": seconds}

    def _memory(self, _: Head) -> Head:
        return {"peak_mb": peak_mb()}

    def _version(self, _: Head) -> Head:
        return {"version": self._module.version()}

    def _loaded(self) -> LoadedPeer:
        if self._engine is None:
            raise RuntimeError("nothing is loaded")
        return self._engine


def peak_mb() -> float:
    """The peak resident memory of this process, in megabytes (10^6 bytes)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e6


def _setup(command: Head) -> PeerSetup:
    return PeerSetup(
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
