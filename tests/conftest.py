"""What all tests share: one started page, and one browser (Playwright allows no second one)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.checkout import EXPORT, Checkout
from tests.durations import pytest_runtest_logreport as pytest_runtest_logreport
from tests.durations import pytest_terminal_summary as pytest_terminal_summary
from tests.needed import missing
from tests.ui.started import StartedServer, started

settings.register_profile("untimed", deadline=None)  # a busy machine is no fault
settings.load_profile("untimed")
os.environ["LC_ALL"] = "C.UTF-8"  # the commands speak English unless a test says otherwise

READERS_OF_THE_EXPORT = ("tests/test_documents.py", "tests/export/test_shipped.py")
CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Two processes share the files of tests; readers of the one whole export stay together."""
    from xdist.scheduler import LoadFileScheduling

    class Sharing(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "export" if file in READERS_OF_THE_EXPORT else file

    return Sharing(config, log)


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


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A copy of the project in another folder, that commands may write to."""
    return Checkout.at(tmp_path_factory.mktemp("elsewhere") / "project")


@pytest.fixture(scope="session")
def exported(checkout: Checkout) -> subprocess.CompletedProcess[str]:
    """What `python -m export` said there: the one whole export of a run of tests.

    The copied files are gone before, so what is there afterwards was written by it.
    """
    shutil.rmtree(checkout.folder / "export" / "files")
    return checkout.run(EXPORT)
