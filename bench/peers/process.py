"""A peer's process, started in its own environment, and the questions put to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bench.peers.declaration import Peer
from export.runtimes.environments import folder_of
from export.runtimes.silence import NO_TELEMETRY

ROOT = Path(__file__).parent.parent.parent


class PeerError(Exception):
    """A peer could not do what it was asked; the text says why."""


class Process:
    """One peer loaded in one process. What it prints goes to `log`."""

    def __init__(self, peer: Peer, environments: Path, log: Path, threads: int) -> None:
        self.peer = peer
        folder = folder_of(peer.environment, environments)
        python = sys.executable if folder is None else str(folder / "bin" / "python")
        self._log = log.open("ab")
        self._child = subprocess.Popen(
            [python, "-m", "bench.peers.worker", peer.module],
            cwd=ROOT,
            env={
                **os.environ,
                **NO_TELEMETRY,
                "PYTHONPATH": str(ROOT),
                "OMP_NUM_THREADS": str(threads),
                "HF_HUB_OFFLINE": "1",
                "TOKENIZERS_PARALLELISM": "false",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )

    def ask(self, do: str, **values: Any) -> Mapping[str, Any]:
        """The answer to one command.

        Raises:
            PeerError: the peer says so, or its process has ended.
        """
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            self._child.stdin.write(json.dumps({"do": do, **values}) + "\n")
            self._child.stdin.flush()
            line = self._child.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise PeerError(f"{do}: the process ended with {self._child.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "failed" in answer:
            raise PeerError(f"{do}: {answer['failed']}")
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process; it ends by itself when its input does."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            self._child.stdin.close()
            self._child.wait(timeout=20)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self._child.kill()
            self._child.wait()
        self._child.stdout.close()
        self._log.close()
