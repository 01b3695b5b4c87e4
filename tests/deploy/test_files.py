"""The files that go up: of the last commit, what the page needs, and it starts with them alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from deploy.files import ROOT, files_that_go_up, goes_up, uncommitted, write_files
from tests.deploy.space import SPACE
from tests.ui.started import StartedServer, free_port


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "repository"
    for path in ("app.py", "ui/page.py", "tests/test_page.py", "web/own.onnx", "notes.txt"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path)
    _git(folder, "init", "-q")
    _git(folder, "add", "-A")
    _git(folder, "commit", "-qm", "all")
    return folder


def _git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True)


def test_only_committed_files_of_the_page_go_up(repository: Path, tmp_path: Path) -> None:
    (repository / "ui/secret.py").write_text("not committed")
    (repository / "ui/page.py").write_text("changed since")
    target = tmp_path / "target"
    target.mkdir()
    paths = write_files(target, repository)
    assert paths == ["app.py", "ui/page.py", "web/own.onnx"]
    written = sorted(p.relative_to(target).as_posix() for p in target.rglob("*") if p.is_file())
    assert written == paths
    assert (target / "ui/page.py").read_text() == "ui/page.py"
    assert uncommitted(repository) == ["ui/page.py", "ui/secret.py"]


def test_of_a_downloaded_archive_no_link_and_no_hidden_file_goes_up(tmp_path: Path) -> None:
    root, secret = tmp_path / "archive", tmp_path / "secret.py"
    secret.write_text("secret")
    for path in ("app.py", "ui/page.py", "web/.env", "web/.git/config"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    (root / "ui/link.py").symlink_to(secret)
    (root / "ui/folder").symlink_to(tmp_path)
    assert files_that_go_up(root) == ["app.py", "ui/page.py"]


@pytest.mark.parametrize(
    "path", ["tests/ui/x.py", "bench/load.py", "deploy/files.py", ".ci/run", "package.json", "x"]
)
def test_what_the_page_does_not_need_stays(path: str) -> None:
    assert not goes_up(path)


def test_nothing_but_code_and_shipped_files_goes_up() -> None:
    kinds = {Path(path).suffix for path in files_that_go_up(ROOT)}
    known = {"", ".py", ".json", ".txt", ".md", ".js", ".mjs", ".css", ".onnx", ".safetensors"}
    known |= {".cpp", ".csv"}  # an example of the proof pack; the table of the engines
    assert kinds - known <= {".png", ".html", ".svg", ".wasm", ".webmanifest"}


@pytest.mark.long("a server of its own")
def test_the_page_starts_with_the_files_that_go_up_alone(tmp_path: Path) -> None:
    folder = tmp_path / "space"
    folder.mkdir()
    write_files(folder)
    server = StartedServer(free_port(), tmp_path / "log.txt", SPACE, folder)
    server.start()
    server.stop()
