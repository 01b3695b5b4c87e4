"""The README as it stands: its header, its two commands, and its Python, run as written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.started import StartedServer

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


PYTHON = blocks("python")
SERVED = "http://127.0.0.1:7860"


def run(source: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_the_first_two_sh_blocks_are_one_line_each() -> None:
    start, test = blocks("sh")
    for command in (start, test):
        assert command.count("\n") == 1
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install")
    assert start.rstrip().endswith(".venv/bin/python app.py")
    assert "-m pytest" in test


@pytest.mark.parametrize(
    "source", [block for block in PYTHON if SERVED not in block], ids=lambda block: block[:24]
)
def test_python_that_needs_no_server(source: str) -> None:
    printed = run(source)
    assert "0.4835" in printed
    assert printed.strip()


def test_python_that_asks_the_running_page(server: StartedServer) -> None:
    (source,) = [block for block in PYTHON if SERVED in block]
    printed = run(source.replace(SERVED, server.url.rstrip("/"))).splitlines()
    assert "0.4835" in printed[0]
    assert printed[1].count("'") == 12
    assert printed[2].startswith("[[[")


def test_files_that_are_named_are_there() -> None:
    for named in re.findall(r"(?:export/files|model/recipes)/[\w.]+\.\w+|docs/[\w.]+\.png", README):
        assert (ROOT / named).exists(), named
