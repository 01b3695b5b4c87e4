"""The Dockerfile's steps, done one after another in a clean environment; then its command."""

from __future__ import annotations

import os
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from deploy.files import ROOT, files_that_go_up, write_files
from tests.deploy.dockerfile import USER_ID, Image, build, context_files, steps
from tests.ui.started import START_SECONDS, free_port

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


OTHERS = (
    *(".env", "ui/__pycache__/page.pyc", "tests/test_x.py", "own/weights.onnx"),
    *("web/.env", "web/.page.js.swp", "ui/.page.py", "web/.git/x.js", "ui/page.py~"),
    *("web/page.js.orig", "docs/#README.md#", "export/key.pem", "model/notes", "web/dump.sql"),
)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The last commit as a build's context, with files beside that must stay out."""
    folder = tmp_path_factory.mktemp("context")
    write_files(folder)
    for path in OTHERS:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x")
    return folder


@pytest.fixture(scope="module")
def image(context: Path, tmp_path_factory: pytest.TempPathFactory) -> Image:
    return build(context, tmp_path_factory.mktemp("image"))


def test_the_context_is_what_goes_up(context: Path) -> None:
    build_files = {"Dockerfile", ".dockerignore"}
    assert set(context_files(context)) == set(files_that_go_up()) - build_files


def test_it_ends_as_another_user_than_root_with_the_cpu_build() -> None:
    found = steps(DOCKERFILE)
    users = [rest for name, rest in found if name == "USER"]
    assert users == ["user"]
    assert [name for name, _ in found][-1] == "CMD"
    installs = [rest for name, rest in found if name == "RUN" and "pip install" in rest]
    assert len(installs) == 1
    assert "download.pytorch.org/whl/cpu" in installs[0]


@pytest.mark.long("installs every package")
def test_the_built_image_serves_the_page_as_that_user(image: Image, tmp_path: Path) -> None:
    port = free_port()
    _open_to_everybody(image.root)
    with (tmp_path / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            image.command,
            cwd=image.inside,
            env=image.run_environment() | {"GRADIO_SERVER_PORT": str(port)},
            user=USER_ID if os.getuid() == 0 else None,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        assert _answers(f"http://127.0.0.1:{port}/healthz"), (tmp_path / "log.txt").read_text()
    finally:
        process.kill()
        process.wait()


def _open_to_everybody(folder: Path) -> None:
    """Let the other user reach the image's folder: pytest's own are closed to others."""
    for parent in (folder, *folder.parents):
        if parent.stat().st_uid == os.getuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)


def _answers(url: str) -> bool:
    give_up = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return True
        except OSError:
            time.sleep(0.2)
    return False
