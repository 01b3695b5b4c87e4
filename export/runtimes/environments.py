"""A separate environment for each engine, because their packages conflict.

They are outside the repository: under `~/.cache/mini-gpt/runtimes`, or in the folder given by the
variable `MINI_GPT_RUNTIMES` or by `--env-root`. If the list of packages has changed, or the
interpreter whose packages it shares, an environment is recreated.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from export.runtimes.declaration import Environment, Runtime

_VARIABLE = "MINI_GPT_RUNTIMES"
_DONE = "installed.json"


def default_root() -> Path:
    """The folder that contains the environments."""
    given = os.environ.get(_VARIABLE)
    return Path(given) if given else Path.home() / ".cache" / "mini-gpt" / "runtimes"


def folder_of(environment: Environment, root: Path) -> Path | None:
    """The environment's folder; None for this interpreter."""
    return None if environment.manager == "here" else root / environment.name


def python_of(environment: Environment, folder: Path | None) -> str:
    """The interpreter of an environment in `folder`: its own, or this one if it has none."""
    if folder is None or environment.manager != "pip":
        return sys.executable
    return str(folder / "bin" / "python")


def python_packages(folder: Path) -> Path:
    """Where an npm environment keeps the Python packages of its worker."""
    return folder / "python"


def is_ready(runtime: Runtime, root: Path) -> bool:
    """Whether an engine can be started: its environment and its needs `here` are installed."""
    return _is_made(runtime.environment, root) and all(map(_is_installed, runtime.here))


def _is_made(environment: Environment, root: Path) -> bool:
    """Whether the environment was made from the current list of packages."""
    folder = folder_of(environment, root)
    if folder is None:
        return all(map(_is_installed, environment.packages))
    done = folder / _DONE
    return done.exists() and json.loads(done.read_text(encoding="utf-8")) == _listed(environment)


def make(environment: Environment, root: Path) -> None:
    """Create the environment unless it is ready.

    Raises:
        subprocess.CalledProcessError: pip or npm failed; its output is in `output`.
    """
    folder = folder_of(environment, root)
    if folder is None or _is_made(environment, root):
        return
    shutil.rmtree(folder, ignore_errors=True)
    if environment.manager == "npm":
        _make_node_folder(environment, folder)
    else:
        _make_venv(environment, folder)
    (folder / _DONE).write_text(json.dumps(_listed(environment)), encoding="utf-8")


def _make_venv(environment: Environment, folder: Path) -> None:
    venv.create(folder, with_pip=True, symlinks=True)
    if environment.shares:
        (own,) = (folder / "lib").glob("python*/site-packages")
        (own / "shared.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    pip = [python_of(environment, folder), "-m", "pip", "install", "--no-input", "--quiet"]
    _run([*pip, *environment.packages], environment)
    if environment.without_dependencies:
        _run([*pip, "--no-deps", *environment.without_dependencies], environment)


def _make_node_folder(environment: Environment, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    npm = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--save-exact"]
    _run([*npm, *environment.packages], environment)
    if environment.python:
        target = ["--target", str(python_packages(folder))]
        pip = [sys.executable, "-m", "pip", "install", "--no-input", "--quiet", *target]
        _run([*pip, *environment.python], environment)


def _run(command: list[str], environment: Environment) -> None:
    subprocess.run(
        command,
        env={**os.environ, **environment.variables},
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def _listed(environment: Environment) -> dict[str, Any]:
    return {
        "packages": list(environment.packages),
        "without_dependencies": list(environment.without_dependencies),
        **({"python": list(environment.python)} if environment.python else {}),
        **({"shares": sysconfig.get_path("purelib")} if environment.shares else {}),
    }


def _is_installed(distribution: str) -> bool:
    """Whether this interpreter has the distribution, in any version."""
    try:
        version(distribution)
    except PackageNotFoundError:
        return False
    return True
