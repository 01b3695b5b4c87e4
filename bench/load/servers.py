"""The servers under load: one or more processes of the page, and nginx in front of them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.load.connection import LOOPBACK
from bench.load.processes import cost_of, cpu_of_children
from deploy.nginx import configuration, predictions
from model.errors import InputError

ROOT = Path(__file__).parents[2]
PATH = "/gpt"
START_SECONDS = 120.0


@dataclass
class Server:
    """A process of `command` that serves at `port`; `health` is the path of its health check."""

    process: subprocess.Popen[bytes]
    port: int
    health: str
    command: str

    def wait(self) -> None:
        """Return when it responds.

        Raises:
            InputError: it has exited, or takes longer than START_SECONDS.
        """
        give_up = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > give_up:
                raise InputError("server_start", command=self.command)
            time.sleep(0.1)

    def answers(self) -> bool:
        """Whether its health check succeeds."""
        try:
            with urllib.request.urlopen(
                f"http://{LOOPBACK}:{self.port}{self.health}", timeout=2
            ) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Terminate it; kill it after 20 s."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.kill()

    def cpu(self) -> float:
        """CPU seconds so far, without its worker processes."""
        return cost_of(self.process.pid).cpu

    def training_cpu(self) -> float:
        """CPU seconds of its worker processes."""
        return cpu_of_children(self.process.pid)

    def memory(self) -> float:
        """Resident memory in MB."""
        return cost_of(self.process.pid).memory


def free_port() -> int:
    """A free port (at the time of the call)."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


@contextmanager
def pages(count: int, *arguments: str, descriptors: int | None = None) -> Iterator[list[Server]]:
    """`count` running pages, each limited to `descriptors` open files if given."""
    servers = []
    try:
        for _ in range(count):
            servers.append(_start_page(arguments, descriptors))
        for server in servers:
            server.wait()
        yield servers
    finally:
        for server in servers:
            server.end()


def _start_page(arguments: Sequence[str], descriptors: int | None) -> Server:
    port = free_port()
    limit = ["prlimit", f"--nofile={descriptors}"] if descriptors else []
    process = subprocess.Popen(
        [*limit, sys.executable, "app.py", "--port", str(port), *arguments],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
    )
    return Server(process, port, "/healthz", "python app.py")


def nginx_program() -> str | None:
    """The path of nginx, if it is installed."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")


@contextmanager
def nginx(replicas: Sequence[Server]) -> Iterator[Server]:
    """nginx in front of `replicas`, which serve below PATH."""
    addresses = [f"{LOOPBACK}:{replica.port}" for replica in replicas]
    with _nginx(lambda at, folder: configuration(at, PATH, addresses, folder)) as server:
        server.wait()
        yield server


@contextmanager
def nginx_before_predictions(service: int) -> Iterator[Server]:
    """nginx in front of Ray Serve at the port `service`."""
    with _nginx(lambda at, folder: predictions(at, f"{LOOPBACK}:{service}", folder)) as server:
        time.sleep(1.0)  # there is no health check to poll
        yield server


@contextmanager
def _nginx(make: Callable[[str, str], str]) -> Iterator[Server]:
    program = nginx_program()
    assert program is not None
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        text = make(f"{LOOPBACK}:{port}", folder)
        (Path(folder) / "nginx.conf").write_text(text, encoding="utf-8")
        process = subprocess.Popen(
            [program, "-c", f"{folder}/nginx.conf", "-e", os.devnull, "-g", "daemon off;"],
            stderr=subprocess.DEVNULL,
        )
        server = Server(process, port, f"{PATH}/healthz", "nginx")
        try:
            yield server
        finally:
            server.end()
