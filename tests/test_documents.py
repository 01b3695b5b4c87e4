"""README and docs as they stand: every snippet run as written, tables as measured, links kept."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import EXPORT, Checkout
from tests.ui.started import StartedServer
from tools.tables import DOCUMENTS, TABLES, with_tables

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
TEXTS = {path: path.read_text("utf-8") for path in (ROOT / "README.md", *DOCUMENTS)}


def blocks(language: str) -> list[str]:
    """Those of the README first."""
    pattern = re.compile(rf"^```{language}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    return [block for text in TEXTS.values() for block in pattern.findall(text)]


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
    assert printed.strip()
    if "teaching" in source:
        assert "0.4835" in printed
    if "OrtDecoder" in source:
        assert printed.startswith("True\n")


def test_python_that_asks_the_running_page(server: StartedServer) -> None:
    (source,) = [block for block in PYTHON if SERVED in block]
    printed = run(source.replace(SERVED, server.url.rstrip("/"))).splitlines()
    assert "0.4835" in printed[0]
    assert printed[1].count("'") == 12
    assert printed[2].startswith("[[[")


LONG = {
    EXPORT: "the whole export",
    f"{EXPORT} parity onnxruntime": "all 488,280 prompts",
    "python -m model train": "a whole training",
}


def commands() -> list[Any]:
    """The lines of the shell blocks after the first two, which have a test of their own."""
    lines = [line for block in blocks("bash") for line in block.splitlines()]
    return [pytest.param(line, id=_said(line), marks=_marks(line)) for line in lines]


def _said(line: str) -> str:
    """The command of a line, without its comment."""
    return line.partition("#")[0].strip()


def _marks(line: str) -> list[Any]:
    command = _said(line).partition(" --")[0]
    return [pytest.mark.long(LONG[command])] if command in LONG else []


@pytest.mark.parametrize("line", commands())
def test_shell_lines(line: str, checkout: Checkout, request: pytest.FixtureRequest) -> None:
    is_whole = _said(line) == EXPORT  # run once for all tests
    finished = request.getfixturevalue("exported") if is_whole else checkout.run(line)
    if line.startswith("python -m deploy") and "--dry-run" not in line:
        assert finished.returncode == 1  # as far as the login, and no further
        assert finished.stderr.startswith("no token: run `hf auth login`")
    else:
        assert finished.returncode == 0, finished.stderr
    if line.startswith(EXPORT):  # the shipped files are the same, byte for byte
        assert checkout.changes("export/files") == ""


def test_the_tables_are_what_was_measured() -> None:
    for path, text in TEXTS.items():
        assert with_tables(text) == text, f"run `python -m tools.tables` for {path.name}"
    assert set(re.findall("<!-- table: (.*?) -->", "".join(TEXTS.values()))) == set(TABLES)


def test_files_that_are_named_are_there() -> None:
    whole = "".join([*TEXTS.values(), (ROOT / "CONTRIBUTING.md").read_text("utf-8")])
    for named in re.findall(r"(?:export/files|model/recipes|tools|tests)/[\w.]+\.\w+", whole):
        assert (ROOT / named).exists(), named


@pytest.mark.parametrize("path", [*TEXTS, ROOT / "CONTRIBUTING.md"], ids=lambda path: path.name)
def test_links_within_the_project_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
        if "://" not in link:
            assert (path.parent / link).is_file(), link


def test_the_readme_is_a_screen_and_a_half() -> None:
    body = README.split("---\n", 2)[2]
    assert len(body.splitlines()) <= 120
