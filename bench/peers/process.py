"""A peer's process, started in the peer's own environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.peers.declaration import Peer
from export.runtimes.environments import folder_of, python_of
from export.runtimes.silence import NO_TELEMETRY
from export.workers.child import REPOSITORY, Child, WorkerError
from export.workers.wire import Head


class PeerError(Exception):
    """A peer's command failed; the text says why."""


class PeerProcess(Child):
    """One process for one peer, as a context manager; its output goes to `log`."""

    def __init__(self, peer: Peer, environments: Path, log: Path, threads: int) -> None:
        self.peer = peer
        python = python_of(peer.environment, folder_of(peer.environment, environments))
        variables = {
            **NO_TELEMETRY,
            "PYTHONPATH": str(REPOSITORY),
            "OMP_NUM_THREADS": str(threads),
            "HF_HUB_OFFLINE": "1",
            "TOKENIZERS_PARALLELISM": "false",
        }
        with log.open("ab") as file:
            command = [python, "-m", "bench.peers.worker", peer.module]
            super().__init__(command, variables=variables, log=file)

    def ask(self, do: str, **values: Any) -> Head:
        """The answer to one command.

        Raises:
            PeerError: the command failed, or the process has exited.
        """
        try:
            return self.request({"do": do, **values})[0]
        except WorkerError as error:
            raise PeerError(f"{do}: {error}") from error
