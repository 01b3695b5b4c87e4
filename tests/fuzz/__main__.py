"""`python -m tests.fuzz [--cases N]`: the long run, with its rate and the growth of memory.

Most cases call the page's functions in this process; one in ten is a whole HTTP request to a
started page. Memory is read after the first tenth (caches are full then) and at the end.
"""

from __future__ import annotations

import argparse
import gc
import logging
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies

from bench.load.scenarios import warm
from tests.fuzz.calls import check_call
from tests.fuzz.conftest import without_processes
from tests.fuzz.raw import Wrong, check_request, wrong_requests
from tests.fuzz.requests import requests
from tests.ui.started import started
from ui import torch_loading
from ui.page import server_functions

HTTP_SHARE = 10
_WARM_UP = 2_000  # cases before memory is read, at least
_BATCH = 500
_PAGE_BYTES = 4096
_GROWTH_MB = 30.0


def memory_mb(process: int | str = "self") -> float:
    """Resident memory of a process."""
    gc.collect()
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * _PAGE_BYTES / 1e6


def run(cases: int, strategy: strategies.SearchStrategy[Any], check: Callable[[Any], None]) -> None:
    """`check` for `cases` values of `strategy`, never the same twice."""

    @settings(
        max_examples=cases,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
        phases=(Phase.generate, Phase.shrink),
    )
    @given(strategy)
    def batch(value: Any) -> None:
        check(value)

    batch()


def run_in_batches(
    cases: int, strategy: strategies.SearchStrategy[Any], check: Callable[[Any], None]
) -> None:
    """`run` again and again: hypothesis keeps what it has tried until a run ends."""
    for begun in range(0, cases, _BATCH):
        run(min(_BATCH, cases - begun), strategy, check)


def functions(cases: int) -> None:
    """Fuzz the functions that a browser calls."""
    offered = server_functions()

    def one(request: Any) -> None:
        check_call(random.choice(offered), request)

    torch_loading.wait()
    run_in_batches(max(_WARM_UP, cases // HTTP_SHARE), requests, one)
    before, began = memory_mb(), time.monotonic()
    run_in_batches(cases, requests, one)
    _report("functions", cases, began, before, memory_mb())


def http(cases: int) -> None:
    """Fuzz a started page with whole requests."""
    with tempfile.TemporaryDirectory() as folder:
        server = started(Path(folder) / "log.txt", MINI_GPT_BODY_KB="64")
        assert server.process is not None

        def one(wrong: Wrong) -> None:
            check_request(server.port, wrong)

        try:
            warm(server.port)  # PyTorch takes 200 MB, and nothing else may
            run_in_batches(max(_WARM_UP, cases // HTTP_SHARE), wrong_requests, one)
            before, began = memory_mb(server.process.pid), time.monotonic()
            run_in_batches(cases, wrong_requests, one)
            after = memory_mb(server.process.pid)
            log = server.log.read_text()
        finally:
            server.stop()
    assert "Traceback" not in log, log
    _report("HTTP requests", cases, began, before, after)


def _report(what: str, cases: int, began: float, before: float, after: float) -> None:
    took = time.monotonic() - began
    print(
        f"{cases} {what}: no failure, {cases / took:.0f}/s, "
        f"memory {before:.0f} MB -> {after:.0f} MB",
        flush=True,
    )
    assert after - before < _GROWTH_MB, "memory grows"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    options = parser.parse_args()
    logging.disable(logging.ERROR)  # a wrong request is no news here
    with pytest.MonkeyPatch.context() as patch:
        without_processes(patch)
        http(options.cases // HTTP_SHARE)
        functions(options.cases - options.cases // HTTP_SHARE)
