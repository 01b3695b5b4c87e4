"""A Space shows what the checkout shows: panel by panel, from exactly the files that go up."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from deploy.files import ROOT, write_files
from tests.deploy import every_panel
from ui.page import server_functions

pytestmark = pytest.mark.long("two pages, of the whole commit and of what goes up, are asked all")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What the panels are told: of the last commit whole, and of its files that go up."""
    folders = {name: tmp_path_factory.mktemp(name) for name in ("checkout", "space")}
    whole = subprocess.run(
        ["git", "-C", str(ROOT), "archive", "--format=zip", "HEAD"], check=True, capture_output=True
    )
    with zipfile.ZipFile(io.BytesIO(whole.stdout)) as packed:
        packed.extractall(folders["checkout"])
    write_files(folders["space"])
    asked = {name: _ask(folder) for name, folder in folders.items()}
    return {name: json.loads(_answer(process)) for name, process in asked.items()}


def _ask(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", every_panel.__file__],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _answer(process: subprocess.Popen[str]) -> str:
    out, error = process.communicate(timeout=600)
    assert process.returncode == 0, error
    return out


def test_every_panel_is_told_the_same(told: dict[str, dict[str, Any]]) -> None:
    names = {function.__name__ for function in server_functions()}
    assert names <= {*told["checkout"], *every_panel.NOT_ASKED}
    differing = [key for key, value in told["checkout"].items() if told["space"].get(key) != value]
    assert differing == []


def test_what_a_panel_needs_is_there(told: dict[str, dict[str, Any]]) -> None:
    """Two pages that lack the same would be equal too."""
    space = told["space"]
    assert len(space["measured_cost"][0]["measured"]["engines"]) > 1
    assert len(space["runtimes"][0]["engines"]) > 1
    assert "error" not in space["token_cost"][1]
    refused = {
        name
        for name, answers in space.items()
        if isinstance(answers, list) and any("error" in answer for answer in answers)
    }
    # These speak of a training or a model of somebody's own, and nobody here has one.
    assert {name for name in refused if not name.startswith(("training_", "own_"))} == set()
