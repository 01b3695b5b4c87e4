"""Starting the page as a person does: `python app.py`, in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
START_SECONDS = 90.0  # a loaded machine takes ten times what an idle one does


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class StartedServer:
    """A running page. `stop` and `start` again keep the address, as a restarted Space does."""

    port: int
    log: Path
    environment: dict[str, str]
    folder: Path = ROOT
    python: str = sys.executable
    arguments: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The page's address, with a slash at the end."""
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        """Start the process and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.python, "app.py", *self.arguments],
                cwd=self.folder,
                env=os.environ | self.environment | {"GRADIO_SERVER_PORT": str(self.port)},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        give_up = time.monotonic() + START_SECONDS
        while not self.answers():
            stopped = self.process.poll() is not None
            if stopped or time.monotonic() > give_up:
                self.stop()
                raise RuntimeError(f"the page did not start:\n{self.log.read_text()}")
            time.sleep(0.1)

    def stop(self) -> None:
        """End the process without warning, as a crash does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def answers(self) -> bool:
        """Whether /healthz answers."""
        try:
            with urllib.request.urlopen(self.url + "healthz", timeout=2) as response:
                return bool(response.status == 200)
        except OSError:
            return False


def started(log: Path, **environment: str) -> StartedServer:
    """A server on a port of its own, started."""
    server = StartedServer(free_port(), log, environment)
    server.start()
    return server
