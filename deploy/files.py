"""Which files are uploaded: those that the page needs, as of the last commit.

A downloaded archive has no commits; then its files as they are.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

_WHOLE = (
    "app.py",
    "LICENSE",
    "README.md",
    "CONTRIBUTING.md",
    "requirements.txt",
    "Dockerfile",
    ".dockerignore",
)
_FOLDERS = ("docs", "export", "languages", "model", "ui", "web")
_LEFT_BEHIND = ("__pycache__", "node_modules")


def goes_up(path: str) -> bool:
    """Whether the tracked file `path` is needed by the page or by its README."""
    return path in _WHOLE or path.split("/", 1)[0] in _FOLDERS


def is_repository(root: Path = ROOT) -> bool:
    """Whether `root` is a git checkout with a commit, and git is installed.

    An archive unpacked inside another project's checkout is not one.
    """
    try:
        _git(root, "rev-parse", "--verify", "-q", "HEAD")
        top = _git(root, "rev-parse", "--show-toplevel").decode().strip()
    except (OSError, subprocess.CalledProcessError):
        return False
    return Path(top).resolve() == root.resolve()


def files_that_go_up(root: Path = ROOT) -> list[str]:
    """The paths to upload, sorted; in a repository only committed files."""
    if not is_repository(root):
        return _files_there(root)
    listed = _git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD").decode()
    return sorted(path for path in listed.split("\0") if path and goes_up(path))


def _files_there(root: Path) -> list[str]:
    """The files of a folder without commits: no symlinks, and no files made by running the page."""
    there = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    paths = [path.relative_to(root) for path in there]
    return sorted(
        path.as_posix()
        for path in paths
        if goes_up(path.as_posix())
        and not any(part in _LEFT_BEHIND or part.startswith(".") for part in path.parts[:-1])
        and (not path.name.startswith(".") or path.as_posix() in _WHOLE)
    )


def write_files(target: Path, root: Path = ROOT) -> list[str]:
    """Write the files to upload into the folder `target`; returns their paths."""
    paths = files_that_go_up(root)
    if not is_repository(root):
        for path in paths:
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, target / path)
        return paths
    archive = _git(root, "archive", "--format=zip", "HEAD", "--", *paths)
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(target)
    return paths


def commit(root: Path = ROOT) -> str:
    """The short hash of the last commit; "" if there is none."""
    if not is_repository(root):
        return ""
    return _git(root, "rev-parse", "--short", "HEAD").decode().strip()


def uncommitted(root: Path = ROOT) -> list[str]:
    """Files to upload that differ from the last commit, if there is one."""
    if not is_repository(root):
        return []
    changed = _git(root, "status", "--porcelain", "-z", "--no-renames").decode().split("\0")
    return sorted(entry[3:] for entry in changed if entry and goes_up(entry[3:]))


def _git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(root), *arguments], check=True, capture_output=True
    ).stdout
