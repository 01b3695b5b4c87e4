"""The page without a server, assembled and served as a person does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from export.runtimes.catalogue import RUNTIMES
from export.runtimes.environments import default_root, is_ready
from tests.ui.conftest import Watched
from tests.ui.started import free_port
from tests.ui.visits import LOCALE
from ui.static_page.assemble import assemble

SECONDS = 60.0

OpenPage = Callable[..., Any]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `python -m ui.static_page` writes."""
    if not is_ready(RUNTIMES["onnxruntime-web"], default_root()):
        lines = "onnxruntime-web is missing: python -m export parity onnxruntime-web --install"
        if os.environ.get("CI") == "true":
            pytest.fail(lines)
        pytest.skip(lines)
    path = tmp_path_factory.mktemp("site")
    assemble(path)
    return path


@dataclass
class Served:
    """`python -m http.server` on the folder; `stop` is the network going away."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def serve(folder: Path, port: int) -> Served:
    """Serve and wait until it answers."""
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "-d"]
    process = subprocess.Popen(
        [*command, str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    served = Served(port, process)
    until = time.monotonic() + SECONDS
    while True:
        try:
            urllib.request.urlopen(f"{served.url}healthz").close()
            return served
        except OSError:
            if time.monotonic() > until:
                served.stop()
                raise
            time.sleep(0.1)


@pytest.fixture
def served(folder: Path) -> Iterator[Served]:
    """A server of the test's own, at a port of its own: nothing kept by another test is seen."""
    running = serve(folder, free_port())
    yield running
    running.stop()


@pytest.fixture
def open_static(browser: Any, served: Served) -> Iterator[OpenPage]:
    """`open_static(query="", width=1280, height=900, dark=False)` -> a page with numbers."""
    contexts: list[Any] = []
    watching = Watched(served.url.split("/")[2])

    def open_(
        query: str = "",
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        locale: str = LOCALE,
    ) -> Any:
        made = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale=locale,
        )
        contexts.append(made)
        made.set_default_timeout(SECONDS * 1000)
        page = made.new_page()
        watching.watch(page)
        page.goto(served.url + query)
        page.locator(".mg-bars tbody tr").first.wait_for(state="attached")
        return page

    yield open_
    for made in contexts:
        made.close()
    watching.check()
