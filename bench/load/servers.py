"""Servers to load: the page once or more, each a process, and nginx before them."""

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
    """A process of `command` that answers at `port`."""

    process: subprocess.Popen[bytes]
    port: int
    health: str
    command: str

    def wait(self) -> None:
        """Return when it answers.

        Raises:
            InputError: it has ended, or takes too long.
        """
        give_up = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > give_up:
                raise InputError("server_start", command=self.command)
            time.sleep(0.1)

    def answers(self) -> bool:
        """Whether it answers now."""
        try:
            with urllib.request.urlopen(
                f"http://{LOOPBACK}:{self.port}{self.health}", timeout=2
            ) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """End it without warning."""
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """End it and what it started."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.kill()

    def cpu(self) -> float:
        """CPU seconds so far, without those of its trainings."""
        return cost_of(self.process.pid).cpu

    def training_cpu(self) -> float:
        """CPU seconds of its trainings."""
        return cpu_of_children(self.process.pid)

    def memory(self) -> float:
        """MB resident."""
        return cost_of(self.process.pid).memory


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


@contextmanager
def pages(count: int, *arguments: str, descriptors: int | None = None) -> Iterator[list[Server]]:
    """`count` started pages, each of which may have so many files open."""
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
    """nginx before `replicas`, which serve below PATH."""
    addresses = [f"{LOOPBACK}:{replica.port}" for replica in replicas]
    with _nginx(lambda at, folder: configuration(at, PATH, addresses, folder)) as server:
        server.wait()
        yield server


@contextmanager
def nginx_before_predictions(service: int) -> Iterator[Server]:
    """nginx before Ray Serve at the port `service`."""
    with _nginx(lambda at, folder: predictions(at, f"{LOOPBACK}:{service}", folder)) as server:
        time.sleep(1.0)  # it has no address that only says it is there
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
