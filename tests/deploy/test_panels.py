"""A Space shows what the checkout shows: panel by panel, from exactly the files that go up.

Two pages are started, from the last commit whole and from its files that go up, the latter in a
Space's environment; each is asked over HTTP whatever the page's own side can ask.
"""

from __future__ import annotations

import io
import subprocess
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deploy.files import ROOT, write_files
from tests.deploy.every_panel import Told, told_by
from tests.deploy.space import SPACE
from tests.ui.started import StartedServer, free_port
from ui.page import panels, server_functions

pytestmark = pytest.mark.long("two pages, of the whole commit and of what goes up, are asked all")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """What the panels are told: of the last commit whole, and of its files that go up."""
    folders = {name: tmp_path_factory.mktemp(name) for name in ("checkout", "space")}
    whole = subprocess.run(
        ["git", "-C", str(ROOT), "archive", "--format=zip", "HEAD"], check=True, capture_output=True
    )
    with zipfile.ZipFile(io.BytesIO(whole.stdout)) as packed:
        packed.extractall(folders["checkout"])
    write_files(folders["space"])
    with ThreadPoolExecutor() as both:
        asked = {name: both.submit(_told, folder, name) for name, folder in folders.items()}
        return {name: each.result() for name, each in asked.items()}


def _told(folder: Path, name: str) -> Told:
    environment = SPACE if name == "space" else {}
    server = StartedServer(free_port(), folder.with_suffix(".log"), environment, folder)
    server.start()
    try:
        return told_by(server.url)
    finally:
        server.stop()


def test_every_panel_is_told_the_same(told: dict[str, Told]) -> None:
    names = {function.__name__ for function in server_functions()}
    assert names == set(told["checkout"].calls)
    assert names == set(told["space"].calls)
    differing = [
        name for name, said in told["checkout"].calls.items() if told["space"].calls[name] != said
    ]
    assert differing == []


def test_the_page_begins_with_the_same_in_the_same_files(told: dict[str, Told]) -> None:
    assert told["space"].initial == told["checkout"].initial
    assert told["space"].files == told["checkout"].files
    assert len(told["space"].files) == 2 + len(panels())  # the entry, the formulas, a file a panel


def test_what_a_panel_needs_is_there(told: dict[str, Told]) -> None:
    """Two pages that lack the same would be equal too."""
    space = told["space"].calls
    assert len(space["measured_cost"][0]["measured"]["engines"]) > 1
    assert len(space["runtimes"][0]["engines"]) > 1
    assert space["differences"][0]["state"] == "ready"
    assert space["cell_in_engines"][0]["state"] == "ready"
    assert len(space["proof_pack"][0]["content"]) > 10_000
    refused = {
        name for name, answers in space.items() if any("error" in answer for answer in answers)
    }
    # These speak of a training or a model of somebody's own, and nobody here has one.
    assert {name for name in refused if not name.startswith(("training_", "own_"))} == set()
