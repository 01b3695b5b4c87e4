"""What keeps the plain run of tests short: a test of more than ten seconds is marked `long`."""

from __future__ import annotations

import pytest

LONGEST = 10.0  # seconds on two cores at rest

_slow: list[tuple[float, str]] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that took longer than a plain run has for one."""
    if report.when == "call" and report.duration > LONGEST and "long" not in report.keywords:
        _slow.append((report.duration, report.nodeid))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name those tests: on a machine at rest each is one to shorten or to mark."""
    if _slow:
        terminalreporter.section(f"over {LONGEST:.0f} s and not marked `long`")
        for seconds, name in sorted(_slow, reverse=True):
            terminalreporter.line(f"{seconds:6.1f} s  {name}")
