"""Load on the predictions under Ray Serve, optionally with one replica killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.load.connection import Connection
from bench.load.processes import children, cost_of, own_cpu
from bench.load.servers import ROOT, free_port, nginx_before_predictions
from bench.load.tally import Tally

AT_ONCE = 32  # clients, each with one request at a time
_REPLICA = b"ray::ServeReplica"
_SENTENCES = [json.dumps({"tokens": text}).encode() for text in ("我", "我喜欢", "学习 AI", "猫")]


@contextmanager
def started(python: str, replicas: int) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The service with `replicas` replicas, started by `python`, which has ray[serve].

    Yields the process and the service's port.
    """
    port = free_port()
    process = subprocess.Popen(
        [python, "-m", "bench.load.ray_start", str(port), str(replicas)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        if not any(b"ready" in line for line in iter(process.stdout.readline, b"")):
            raise RuntimeError("Ray Serve did not start")
        yield process, port
    finally:
        process.stdin.close()  # the process exits at the end of its input
        process.stdout.close()
        process.wait(timeout=60)


def measure(python: str, replicas: int, seconds: float, kill: bool = False) -> dict[str, Any]:
    """Throughput and latency over `seconds`; `kill` sends SIGKILL to a replica half-way."""
    with started(python, replicas) as (process, service), nginx_before_predictions(service) as at:
        port = at.port
        asyncio.run(_load(port, 1.0))  # warm-up: a replica opens its session at the first request
        before, generator, began = _cpu(process.pid), own_cpu(), time.monotonic()
        tally = asyncio.run(_load(port, seconds, process.pid if kill else None))
        took = time.monotonic() - began
        return {
            "replicas": replicas,
            **tally.summary(),
            "replica_cores": None if kill else round((_cpu(process.pid) - before) / took, 2),
            "generator_cores": round((own_cpu() - generator) / took, 2),
        }


async def _load(port: int, seconds: float, kill_below: int | None = None) -> Tally:
    tally = Tally()
    until = time.monotonic() + seconds
    callers = [asyncio.create_task(_caller(port, tally, until)) for _ in range(AT_ONCE)]
    if kill_below is not None:
        await asyncio.sleep(seconds / 2)
        os.kill(_replicas(kill_below)[0], signal.SIGKILL)
    await asyncio.gather(*callers)
    return tally


async def _caller(port: int, tally: Tally, until: float) -> None:
    line = Connection(port)
    while time.monotonic() < until:
        answer = await line.post("/", random.choice(_SENTENCES))
        if answer.status == 200:
            tally.took("prediction", answer.seconds)
        else:
            tally.error(f"status {answer.status}")
    await line.close()


def _cpu(process: int) -> float:
    return sum(cost_of(replica).cpu for replica in _replicas(process))


def _replicas(process: int) -> list[int]:
    return [one for one in _below(process) if _command(one).startswith(_REPLICA)]


def _below(process: int) -> list[int]:
    found = []
    for child in children(process):
        found += [child, *_below(child)]
    return found


def _command(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()
