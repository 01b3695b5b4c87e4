"""Interleaved measurement, so that temporary load on the machine affects all peers alike."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.peers.process import PeerError, PeerProcess

REST = 0.25  # seconds before a turn: OpenMP's threads spin for 0.2 s after the previous one

Ask = Callable[[PeerProcess], Mapping[str, Any]]


@dataclass
class Timed:
    """The timings and tokens of one peer, from all its turns."""

    seconds: list[float] = field(default_factory=list)
    tokens: list[list[int]] | None = None
    failed: str | None = None
    spent: float = 0.0


def interleaved(
    processes: Sequence[PeerProcess], ask: Ask, rounds: int, budget: float
) -> dict[str, Timed]:
    """Ask each process in turn, `rounds` times, in a different random order each time.

    No peer systematically follows another, and the cores are idle before each turn.

    budget: seconds after which a peer gets no further turn; it has at least two, of which the
        first is a warm-up and is not counted, unless it alone exceeded the budget.
    """
    results: dict[str, Timed] = defaultdict(Timed)
    order = random.Random(len(processes))
    for turn in range(rounds + 1):
        for process in order.sample(processes, len(processes)):
            timed = results[process.peer.name]
            if timed.failed or (turn > 1 and timed.spent > budget):
                continue
            time.sleep(REST)
            _take_turn(process, ask, timed, counts=turn > 0 or timed.spent > budget)
    return dict(results)


def _take_turn(process: PeerProcess, ask: Ask, timed: Timed, counts: bool) -> None:
    started = time.perf_counter()
    try:
        answer = ask(process)
    except PeerError as error:
        timed.failed = str(error)
        return
    timed.spent += time.perf_counter() - started
    timed.tokens = answer.get("tokens")
    if counts:
        timed.seconds += answer["seconds"]


def together(starts: Iterable[Timed]) -> Timed:
    """The results of one peer from several starts, merged; failed if one of them failed."""
    whole = Timed()
    for timed in starts:
        whole.seconds += timed.seconds
        whole.tokens = whole.tokens or timed.tokens
        whole.failed = whole.failed or timed.failed
        whole.spent += timed.spent
    return whole
