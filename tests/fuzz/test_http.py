"""Requests that are wrong in some way, to a really started page: no 5xx, no traceback, no end."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.raw import Wrong, check_request, wrong_requests
from tests.ui.started import StartedServer, started

CASES = [100, pytest.param(500, marks=pytest.mark.long("500 requests"))]


@pytest.fixture
def fuzzed(tmp_path: Path) -> StartedServer:
    """A server of its own: what others wait for is not under fire."""
    return started(tmp_path / "log.txt", MINI_GPT_BODY_KB="64")


@pytest.mark.parametrize("count", CASES)
def test_whatever_arrives_the_page_goes_on(fuzzed: StartedServer, count: int) -> None:
    try:
        _fire(fuzzed.port, count)
        assert fuzzed.answers()
        log = Path(fuzzed.log).read_text()
    finally:
        fuzzed.stop()
    assert "Traceback" not in log
    assert "ERROR" not in log
    assert len(log.splitlines()) < 20, log[:5_000]


def _fire(port: int, count: int) -> None:
    @settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    @given(wrong_requests)
    def cases(wrong: Wrong) -> None:
        check_request(port, wrong)

    cases()
