"""Crowds of concurrent users, and the CPU and memory they cost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.load.owner import Owner
from bench.load.person import Person, component_of
from bench.load.processes import own_cpu
from bench.load.servers import Server
from bench.load.tally import Tally
from bench.load.trainee import Trainee

PAUSE_SECONDS = 5.0  # between two clicks of one user
TRAINEES = 4  # one trains, three wait in the queue
CALM_SECONDS = 0.1  # a view faster than this counts as normal service


@dataclass(frozen=True)
class Crowd:
    """people: concurrent users; seconds: duration; pause: seconds between one user's clicks;
    trainees, owners: additional users who train or upload a model; opens: whether the users first
    open the page."""

    people: int
    seconds: float
    pause: float = PAUSE_SECONDS
    trainees: int = 0
    owners: int = 0
    opens: bool = True


async def run(crowd: Crowd, port: int, prefix: str = "") -> Tally:
    """Run `crowd` against the page at `port`; returns its tally."""
    tally = Tally()
    component = await component_of(port, prefix)
    everybody = [Person(port, tally, component, prefix) for _ in range(crowd.people)]
    if crowd.opens:
        await asyncio.gather(*(_arrive(person, crowd.pause) for person in everybody))
        # The clicks begin only when everybody has the page.
    until = time.monotonic() + crowd.seconds
    busy = [person.click_on(until, crowd.pause) for person in everybody]
    busy += [Trainee(port, tally, component, prefix).train_on(until) for _ in range(crowd.trainees)]
    busy += [Owner(port, tally, component, prefix).bring_one(until) for _ in range(crowd.owners)]
    await asyncio.gather(*busy)
    return tally


async def _arrive(person: Person, within: float) -> None:
    await asyncio.sleep(within * (id(person) % 1000) / 1000)
    await person.open_page()


async def recovery(port: int, prefix: str = "", patience: float = 30.0) -> float:
    """Seconds until three views in a row take less than CALM_SECONDS; at most `patience`."""
    tally = Tally()
    person = Person(port, tally, await component_of(port, prefix), prefix)
    began = time.monotonic()
    calm = 0
    while calm < 3 and time.monotonic() - began < patience:
        asked = time.perf_counter()
        answer = await person.call("view", {"tokens": [0, 1]})
        is_calm = answer is not None and time.perf_counter() - asked < CALM_SECONDS
        calm = calm + 1 if is_calm else 0
        await asyncio.sleep(0.1)
    await person.leave()
    return round(time.monotonic() - began, 1)


class Meter:
    """CPU and memory of the servers, and CPU of this generator, over an interval."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self._servers = servers
        self._began = time.monotonic()
        self._cpu = [server.cpu() for server in servers]
        self._training = [server.training_cpu() for server in servers]
        self._own = own_cpu()
        self._memory = [server.memory() for server in servers]

    def read(self) -> dict[str, Any]:
        """CPU in average number of busy cores, and memory in MB before and after."""
        took = time.monotonic() - self._began
        now = [server.cpu() for server in self._servers]
        training = [server.training_cpu() for server in self._servers]

        def cores(before: list[float], after: list[float]) -> float:
            return round((sum(after) - sum(before)) / took, 2)

        return {
            "server_cores": cores(self._cpu, now),
            "training_cores": cores(self._training, training),
            "generator_cores": round((own_cpu() - self._own) / took, 2),
            "memory_before_mb": round(sum(self._memory)),
            "memory_after_mb": round(sum(server.memory() for server in self._servers)),
        }
