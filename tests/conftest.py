"""What all tests share: one started page, and one browser (Playwright allows no second one)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.needed import missing
from tests.ui.started import StartedServer, started

os.environ["LC_ALL"] = "C.UTF-8"  # the commands speak English unless a test says otherwise

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Any]]:
    """`launch(**environment)` starts a headless Chromium that also knows these variables."""
    if not CHROMIUM.exists():
        missing(f"Chromium at {CHROMIUM} (set CHROMIUM to its path)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:

        def launch_(**environment: str) -> Any:
            return playwright.chromium.launch(
                executable_path=str(CHROMIUM),
                args=list(CHROMIUM_ARGUMENTS),
                env={**os.environ, **environment},
            )

        yield launch_


@pytest.fixture(scope="session")
def browser(launch: Callable[..., Any]) -> Iterator[Any]:
    """Headless Chromium."""
    launched = launch()
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedServer]:
    """The page, started once for all tests. Do not stop it: start your own for that."""
    running = started(tmp_path_factory.mktemp("server") / "log.txt")
    yield running
    running.stop()
