"""Environments: what would be typed, what is typed, and when a folder is made anew."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from export.runtimes import environments
from export.runtimes.catalogue import RUNTIMES
from export.runtimes.declaration import Environment, Runtime
from export.runtimes.environments import default_root, folder_of, is_ready, make

NODE = Environment("node-thing", "npm", ("thing@1.0.0",), variables={"SKIP": "1"})
VENV = Environment("thing", "pip", ("thing==1.0",), without_dependencies=("other==2.0",))
CREATE = venv.create


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would have been run; nothing is installed."""
    found: list[list[str]] = []

    def note(command: list[str], environment: Environment) -> None:
        found.append(command)

    monkeypatch.setattr(environments, "_run", note)
    monkeypatch.setattr(venv, "create", lambda folder, **_: folder.mkdir())
    return found


def runtime(environment: Environment) -> Runtime:
    return Runtime("thing", "Thing", environment, "export.runtimes.thing")


def test_every_package_is_pinned_and_every_environment_is_outside_the_repository() -> None:
    for engine in RUNTIMES.values():
        environment = engine.environment
        pins = (*environment.packages, *environment.without_dependencies)
        if environment.manager == "here":
            continue
        mark = "@" if environment.manager == "npm" else "=="
        assert all(mark in pin[1:] for pin in pins), engine.name
    repository = Path(environments.__file__).parents[2]
    assert not default_root().is_relative_to(repository)


def test_the_lines_a_person_would_type() -> None:
    assert NODE.install_lines() == ["SKIP=1 npm install thing@1.0.0"]
    assert VENV.install_lines() == ["pip install thing==1.0", "pip install --no-deps other==2.0"]
    assert replace(runtime(NODE), here=("playwright",)).install_lines() == [
        "SKIP=1 npm install thing@1.0.0",
        "pip install playwright",
    ]


def test_a_venv_is_made_once(tmp_path: Path, commands: list[list[str]]) -> None:
    assert not is_ready(runtime(VENV), tmp_path)
    make(VENV, tmp_path)
    assert [command[-1] for command in commands] == ["thing==1.0", "other==2.0"]
    assert "--no-deps" in commands[1]
    assert commands[0][0] == str(tmp_path / "thing" / "bin" / "python")
    assert is_ready(runtime(VENV), tmp_path)
    make(VENV, tmp_path)
    assert len(commands) == 2


def test_another_list_of_packages_makes_it_anew(tmp_path: Path, commands: list[list[str]]) -> None:
    make(VENV, tmp_path)
    (tmp_path / "thing" / "left over").touch()
    newer = replace(VENV, packages=("thing==1.1",))
    assert not is_ready(runtime(newer), tmp_path)
    make(newer, tmp_path)
    assert is_ready(runtime(newer), tmp_path)
    assert not (tmp_path / "thing" / "left over").exists()


def test_a_node_folder(tmp_path: Path, commands: list[list[str]]) -> None:
    make(NODE, tmp_path)
    (command,) = commands
    assert command[0] == "npm"
    assert command[-1] == "thing@1.0.0"
    assert str(tmp_path / "node-thing") in command
    assert runtime(NODE).in_node is False
    assert replace(runtime(NODE), worker="thing").in_node is True


def test_a_node_folder_with_python_packages(tmp_path: Path, commands: list[list[str]]) -> None:
    both = replace(NODE, python=("thing==1.0",))
    make(both, tmp_path)
    folder = tmp_path / "node-thing"
    assert commands[1][:4] == [sys.executable, "-m", "pip", "install"]
    assert commands[1][-3:] == ["--target", str(environments.python_packages(folder)), "thing==1.0"]
    assert both.install_lines()[1] == "pip install --target python thing==1.0"
    assert is_ready(runtime(both), tmp_path)
    assert not is_ready(runtime(NODE), tmp_path)


def test_a_venv_that_shares_sees_this_interpreter_s_packages_after_its_own(
    tmp_path: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(venv, "create", lambda folder, **_: CREATE(folder, symlinks=True))
    shared = replace(VENV, shares=True)
    make(shared, tmp_path)
    python = environments.python_of(shared, tmp_path / "thing")
    said = subprocess.run(
        [python, "-c", "import numpy, sys; print(numpy.__version__); print(sys.path)"],
        capture_output=True,
        text=True,
        check=True,
    )
    version, path = said.stdout.splitlines()
    assert version == np.__version__
    own, ours = path.find(str(tmp_path / "thing")), path.find(sysconfig.get_path("purelib"))
    assert 0 < own < ours
    assert is_ready(runtime(shared), tmp_path)
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path / "another"))
    assert not is_ready(runtime(shared), tmp_path)  # what it shares may be gone


def test_this_interpreter_is_ready_if_it_has_what_is_needed(tmp_path: Path) -> None:
    here = Environment("here", "here", ("numpy",))
    assert folder_of(here, tmp_path) is None
    assert is_ready(runtime(here), tmp_path)
    assert not is_ready(runtime(replace(here, packages=("no-such-thing",))), tmp_path)
    assert not is_ready(replace(runtime(here), here=("no-such-thing",)), tmp_path)


def test_the_root_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINI_GPT_RUNTIMES", str(tmp_path))
    assert default_root() == tmp_path
