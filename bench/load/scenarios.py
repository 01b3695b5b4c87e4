"""The load tests, one function each; `table.py` formats their results."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, replace
from typing import Any

from bench.load.attacks import DESCRIPTORS, QUEUED, under_attack
from bench.load.connection import Connection
from bench.load.crowds import TRAINEES, Crowd, Meter, recovery, run
from bench.load.person import CALL, Person, component_of
from bench.load.servers import PATH, Server, nginx, nginx_program, pages
from bench.load.tally import Tally

Result = dict[str, Any]

OVERLOAD = 5
MOST_RATIO = 3.0  # allowed ratio of a click's p95 under attack to that without
BACK_SECONDS = 5.0  # allowed time until normal service after an attack
MEMORY_LIMIT = 1.10  # allowed ratio of memory after all sessions to that after the first tenth
_AT_ONCE = 8  # concurrent sessions in the memory test


@dataclass(frozen=True)
class Size:
    """The parameters of a run: the full one, or a quick smoke test."""

    people: int
    seconds: float
    overload_seconds: float
    replica_seconds: float
    sessions: int
    attack_seconds: float


FULL = Size(
    people=200,
    seconds=120,
    overload_seconds=20,
    replica_seconds=20,
    sessions=10_000,
    attack_seconds=40,
)
QUICK = Size(
    people=10, seconds=10, overload_seconds=5, replica_seconds=5, sessions=200, attack_seconds=10
)


def warm(port: int, prefix: str = "") -> None:
    """Wait until PyTorch is loaded, which the first page in a browser starts."""

    async def until_ready() -> None:
        person = Person(port, Tally(), await component_of(port, prefix), prefix)
        while True:
            answer = await person.call("differences", {"tokens": [0, 1]})
            if answer is not None and answer["state"] == "ready":
                break
            await asyncio.sleep(0.5)
        await person.leave()

    asyncio.run(asyncio.wait_for(until_ready(), 120))


def class_load(size: Size) -> Result:
    """A class that opens the page and clicks, while one training runs and three wait."""
    with pages(1) as servers:
        warm(servers[0].port)
        meter = Meter(servers)
        crowd = Crowd(size.people, size.seconds, trainees=TRAINEES)
        tally = asyncio.run(run(crowd, servers[0].port))
        return {"people": size.people, **tally.summary(), **meter.read()}


def overload(size: Size) -> Result:
    """Five times as many users; then the time until normal service."""
    with pages(1) as servers:
        warm(servers[0].port)
        meter = Meter(servers)
        crowd = Crowd(size.people * OVERLOAD, size.overload_seconds, opens=False)
        tally = asyncio.run(run(crowd, servers[0].port))
        after = asyncio.run(recovery(servers[0].port))
        measured = {**tally.summary(), **meter.read(), "back_to_usual_seconds": after}
        return {"people": crowd.people, **measured}


def replicas(size: Size, count: int, kill: bool = False) -> Result:
    """The class behind nginx with `count` replicas; `kill` kills one of them half-way."""
    if nginx_program() is None:
        return {"missing": "nginx is not installed"}
    with pages(count, "--root-path", PATH) as servers, nginx(servers) as front:
        for server in servers:
            warm(server.port, PATH)
        meter = Meter(servers if not kill else servers[:1])
        crowd = Crowd(size.people, size.replica_seconds, opens=False)
        tally = asyncio.run(_with_kill(crowd, front, servers[-1] if kill else None))
        return {"people": size.people, **tally.summary(), **meter.read()}


def attacked(size: Size, attack: str) -> Result:
    """The class alone, then for as long under attack; then the time until normal service."""
    with pages(1, descriptors=DESCRIPTORS) as servers:
        port = servers[0].port
        warm(port)
        crowd = Crowd(size.people, size.attack_seconds, opens=False)
        alone = asyncio.run(run(crowd, port)).summary()
        meter = Meter(servers)
        component = asyncio.run(component_of(port))
        # Measures also how long other users wait in the queues that the attack occupies.
        beside_it = replace(crowd, trainees=1, owners=1) if attack in QUEUED else crowd
        with under_attack(attack, port, component, 10 * size.attack_seconds):
            tally = asyncio.run(run(beside_it, port))
        measured = {**tally.summary(), **meter.read()}
        after = asyncio.run(recovery(port))
    before, beside = (one["actions"]["click"]["p95_ms"] for one in (alone, measured))
    ratio = round(beside / before, 2)
    return {
        "people": size.people,
        **measured,
        "p95_alone_ms": before,
        "p95_ratio": ratio,
        "back_to_usual_seconds": after,
        "held": ratio <= MOST_RATIO and after <= BACK_SECONDS and not measured["errors"],
    }


async def _with_kill(crowd: Crowd, front: Server, victim: Server | None) -> Tally:
    load = asyncio.create_task(run(crowd, front.port, PATH))
    if victim is not None:
        await asyncio.sleep(crowd.seconds / 2)
        victim.kill()
    return await load


def sessions(size: Size) -> Result:
    """Users who open the page, request one view and leave: the server's memory afterwards."""
    with pages(1) as servers:
        server = servers[0]
        warm(server.port)
        first = max(1, size.sessions // 10)
        began = time.monotonic()
        asyncio.run(_visits(server.port, first))
        early = server.memory()
        asyncio.run(_visits(server.port, size.sessions - first))
        late = server.memory()
        took = time.monotonic() - began
    return {
        "sessions": size.sessions,
        "per_second": round(size.sessions / took, 1),
        "memory_after_a_tenth_mb": round(early, 1),
        "memory_after_all_mb": round(late, 1),
        "ratio": round(late / early, 3),
        "flat": late <= early * MEMORY_LIMIT,
    }


async def _visits(port: int, count: int) -> None:
    component = await component_of(port)
    waiting = list(range(count))
    await asyncio.gather(*(_visitors(port, component, waiting) for _ in range(_AT_ONCE)))


async def _visitors(port: int, component: int, waiting: list[int]) -> None:
    line = Connection(port)
    while waiting:
        number = waiting.pop()
        page = await line.get("/")
        request = {
            "data": {"tokens": [number % 5, number // 5 % 5]},
            "component_id": component,
            "fn_name": "view",
            "session_hash": f"visitor{number}",
        }
        answer = await line.post(CALL, json.dumps(request).encode())
        if page.status != 200 or answer.status != 200 or b'"error":' in answer.body[:12]:
            raise RuntimeError(f"session {number}: {page.status}, {answer.status}")
    await line.close()
