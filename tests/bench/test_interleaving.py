"""Turns are fair: everyone in each round, another first each time, the slow ones stopped."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from bench.interleaving import interleaved
from bench.peers.process import PeerError, Process


def processes(*names: str) -> list[Process]:
    return [cast(Process, SimpleNamespace(peer=SimpleNamespace(name=name))) for name in names]


def test_every_round_begins_with_another_and_the_first_does_not_count() -> None:
    asked: list[str] = []

    def ask(process: Process) -> dict[str, Any]:
        asked.append(process.peer.name)
        return {"seconds": [float(len(asked))], "tokens": [[1]]}

    results = interleaved(processes("a", "b", "c"), ask, rounds=2, budget=60)
    assert "".join(asked) == "abcbcacab"
    assert results["a"].seconds == [6.0, 8.0]
    assert results["a"].tokens == [[1]]


def test_one_that_fails_is_asked_no_more_and_keeps_its_reason() -> None:
    def ask(process: Process) -> dict[str, Any]:
        if process.peer.name == "b":
            raise PeerError("no")
        return {"seconds": [1.0]}

    results = interleaved(processes("a", "b"), ask, rounds=3, budget=60)
    assert results["b"].failed == "no"
    assert results["a"].seconds == [1.0, 1.0, 1.0]


def test_one_that_takes_long_has_two_turns() -> None:
    results = interleaved(processes("a"), lambda _: {"seconds": [1.0]}, rounds=5, budget=-1.0)
    assert results["a"].seconds == [1.0, 1.0]
