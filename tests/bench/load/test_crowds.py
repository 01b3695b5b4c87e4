"""A small crowd at the real page: what is counted is what happened."""

from __future__ import annotations

from bench.load.crowds import Crowd, recovery, run
from bench.load.tally import Tally
from tests import own_loop
from tests.ui.started import StartedServer


def test_a_crowd_clicks_and_nothing_goes_wrong(server: StartedServer) -> None:
    tally = own_loop.run(run(Crowd(people=3, seconds=2.0, pause=0.5), server.port))
    result = tally.summary()
    assert result["errors"] == {}
    assert result["actions"]["open the page"]["count"] == 3
    assert result["actions"]["click"]["count"] >= 3


def test_service_is_as_usual_at_once_when_nothing_was_wrong(server: StartedServer) -> None:
    assert own_loop.run(recovery(server.port)) < 20  # a loaded machine has slow seconds


def test_the_95th_percentile_is_the_slowest_but_one_in_twenty() -> None:
    tally = Tally()
    for milliseconds in range(1, 101):
        tally.took("click", milliseconds / 1e3)
    spread = tally.summary()["actions"]["click"]
    assert spread["p95_ms"] == 96
    assert (spread["median_ms"], spread["slowest_ms"]) == (50.5, 100)
