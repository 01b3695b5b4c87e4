"""A process that runs out of descriptors for a moment; prints as JSON what people were told.

`python -m tests.faults.without_descriptors`; the processes it starts are real.
"""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Callable
from typing import Any

from model.config import MiniGPTConfig
from model.errors import InputError
from model.teaching import TEACHING_CONFIG, teaching_state
from model.vocabulary import LESSON_WORDS
from tests.ui.training.fakes import spec
from ui.training.service import Service

SIZES = MiniGPTConfig(5, 3, 6, 2, 1)
PATIENCE_SECONDS = 20.0


def main() -> None:
    """Ask for a training, files and a graph: without descriptors, and then with."""
    service = Service()
    own = [service.own.load(TEACHING_CONFIG, teaching_state(), LESSON_WORDS) for _ in range(2)]
    _graph(service, SIZES)  # so that everything is imported
    service.end()
    _until(lambda: service.graphs._queue.running() == 0)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    probe = os.open(os.devnull, os.O_RDONLY)
    os.close(probe)
    resource.setrlimit(resource.RLIMIT_NOFILE, (probe, hard))
    try:
        service.spare.warm_up()
        keys = service.jobs.submit(spec(steps=2000))
        without = {
            "training": _said(service.jobs.progress(keys.id, 0)),
            "files": service.files.state(own[0])["state"],
            "graph": _graph(service, MiniGPTConfig(5, 3, 6, 2, 2)),
            "at work": _at_work(service),
        }
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    service.jobs.resume(*keys)
    states = {service.files.state(each)["state"] for each in own}
    _graph(service, MiniGPTConfig(5, 3, 6, 2, 3))
    _until(lambda: _at_work(service) == [1, 1, 1])
    then = {
        "training": _said(service.jobs.progress(keys.id, 0)),
        "files": sorted(states | {service.files.state(each)["state"] for each in own}),
    }
    print(json.dumps({"without": without, "then": then}))
    service.end()
    _until(lambda: _at_work(service) == [0, 0, 0])


def _said(progress: dict[str, Any]) -> list[str | None]:
    error = progress["error"]
    return [progress["status"], error and error.code]


def _graph(service: Service, sizes: MiniGPTConfig) -> str:
    try:
        service.graphs.source(sizes)
    except InputError as error:
        return error.code
    return "there"


def _at_work(service: Service) -> list[int]:
    queues = (service.jobs._queue, service.files._queue, service.graphs._queue)
    return [queue.running() for queue in queues]


def _until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > give_up:
            raise TimeoutError
        time.sleep(0.05)


if __name__ == "__main__":
    main()
