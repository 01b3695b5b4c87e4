"""Which files go up: those the page runs with, as they are in the last commit."""

from __future__ import annotations

import io
import subprocess
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

_WHOLE = ("app.py", "LICENSE", "README.md", "requirements.txt", "Dockerfile", ".dockerignore")
_FOLDERS = ("docs", "export", "model", "ui", "web")


def goes_up(path: str) -> bool:
    """Whether the tracked file `path` is needed by the page or by its README."""
    return path in _WHOLE or path.split("/", 1)[0] in _FOLDERS


def files_that_go_up(root: Path = ROOT) -> list[str]:
    """Paths of the last commit, sorted; nothing that is not committed can be among them."""
    listed = _git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD").decode()
    return sorted(path for path in listed.split("\0") if path and goes_up(path))


def write_files(target: Path, root: Path = ROOT) -> list[str]:
    """Write the files that go up into the folder `target`; returns their paths."""
    paths = files_that_go_up(root)
    archive = _git(root, "archive", "--format=zip", "HEAD", "--", *paths)
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(target)
    return paths


def commit(root: Path = ROOT) -> str:
    """The short name of the last commit."""
    return _git(root, "rev-parse", "--short", "HEAD").decode().strip()


def uncommitted(root: Path = ROOT) -> list[str]:
    """Files that would go up and differ from the last commit."""
    changed = _git(root, "status", "--porcelain", "-z", "--no-renames").decode().split("\0")
    return sorted(entry[3:] for entry in changed if entry and goes_up(entry[3:]))


def _git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(root), *arguments], check=True, capture_output=True
    ).stdout
