"""Turns are fair: everyone in each round, in another order each time, the slow ones stopped."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bench import interleaving
from bench.interleaving import Timed, interleaved, together
from bench.peers.process import PeerError, PeerProcess


def processes(*names: str) -> list[PeerProcess]:
    return [cast(PeerProcess, SimpleNamespace(peer=SimpleNamespace(name=name))) for name in names]


@pytest.fixture(autouse=True)
def without_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interleaving, "REST", 0.0)


def test_everyone_has_a_turn_in_each_round_and_the_first_does_not_count() -> None:
    asked: list[str] = []

    def ask(process: PeerProcess) -> dict[str, Any]:
        asked.append(process.peer.name)
        return {"seconds": [float(len(asked))], "tokens": [[1]]}

    results = interleaved(processes("a", "b", "c"), ask, rounds=5, budget=60)
    rounds = ["".join(asked[at : at + 3]) for at in range(0, 18, 3)]
    assert all(sorted(one) == ["a", "b", "c"] for one in rounds)
    assert len(set(rounds)) > 2  # nobody follows the same one by rule
    assert results["a"].seconds == [at + 1 for at, name in enumerate(asked) if name == "a"][1:]
    assert results["a"].tokens == [[1]]


def test_one_that_fails_is_asked_no_more_and_keeps_its_reason() -> None:
    def ask(process: PeerProcess) -> dict[str, Any]:
        if process.peer.name == "b":
            raise PeerError("no")
        return {"seconds": [1.0]}

    results = interleaved(processes("a", "b"), ask, rounds=3, budget=60)
    assert results["b"].failed == "no"
    assert results["a"].seconds == [1.0, 1.0, 1.0]


def test_one_that_takes_long_has_two_turns() -> None:
    results = interleaved(processes("a"), lambda _: {"seconds": [1.0]}, rounds=5, budget=-1.0)
    assert results["a"].seconds == [1.0, 1.0]


def test_several_starts_count_together_and_one_failure_is_a_failure() -> None:
    first, second = Timed([3.0, 1.0], [[7]], spent=4.0), Timed([2.0], [[8]], spent=2.0)
    assert together([first, second]) == Timed([3.0, 1.0, 2.0], [[7]], None, 6.0)
    assert together([first, Timed(failed="no")]).failed == "no"
