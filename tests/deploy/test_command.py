"""`python -m deploy`, with a Hub that only writes down what it is told."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub.errors import LocalTokenNotFoundError

from deploy import __main__ as command
from deploy.files import files_that_go_up
from deploy.header import read_header
from ui.static_page import runtime_files


class _Hub:
    """Notes calls, and the files of an upload while they are there."""

    calls: list[tuple[str, dict[str, Any]]]
    files: dict[str, bytes]
    refuses: Exception | None = None

    def create_repo(self, space: str, **options: Any) -> None:
        if self.refuses:
            raise self.refuses
        self.calls.append(("create_repo", {"space": space, **options}))

    def upload_folder(self, **options: Any) -> None:
        folder: Path = options.pop("folder_path")
        self.calls.append(("upload_folder", options))
        for path in folder.rglob("*"):
            if path.is_file():
                self.files[path.relative_to(folder).as_posix()] = path.read_bytes()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> _Hub:
    made = _Hub()
    made.calls, made.files = [], {}
    monkeypatch.setattr(command, "HfApi", lambda token: made if token is True else None)
    monkeypatch.setattr(command, "uncommitted", lambda: [])
    return made


def test_the_last_commit_is_uploaded_as_a_gradio_space(hub: _Hub) -> None:
    assert command.main(["someone/minigpt"]) == 0
    (_, created), (_, uploaded) = hub.calls
    assert created["space"] == uploaded["repo_id"] == "someone/minigpt"
    assert created["repo_type"] == uploaded["repo_type"] == "space"
    assert (created["space_sdk"], created["private"]) == ("gradio", False)
    assert sorted(hub.files) == files_that_go_up()


def test_a_docker_space_gets_the_header_of_one(hub: _Hub) -> None:
    assert command.main(["someone/minigpt", "--docker", "--private"]) == 0
    created = hub.calls[0][1]
    assert (created["space_sdk"], created["private"]) == ("docker", True)
    assert read_header(hub.files["README.md"].decode())["sdk"] == "docker"
    assert "Dockerfile" in hub.files


def test_a_static_space_is_the_assembled_page(hub: _Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_files, "contents", lambda: {"ort.mjs": b"from npm"})
    assert command.main(["someone/minigpt", "--static"]) == 0
    assert hub.calls[0][1]["space_sdk"] == "static"
    assert read_header(hub.files["README.md"].decode())["app_file"] == "index.html"
    assert {"index.html", "service_worker.js", "ort/ort.mjs"} <= hub.files.keys()
    assert not any(path.endswith(".py") for path in hub.files)


def test_the_page_without_a_server_can_go_along(hub: _Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_files, "contents", lambda: {"ort.mjs": b"from npm"})
    assert command.main(["someone/minigpt", "--with-page"]) == 0
    assert hub.calls[0][1]["space_sdk"] == "gradio"
    assert {"app.py", "dist/site/page.json", "dist/site/ort/ort.mjs"} <= hub.files.keys()
    assert ".gitignore" not in hub.files  # it names dist/, and the Hub heeds it


def test_a_failing_npm_is_told(
    hub: _Hub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> dict[str, bytes]:
        raise subprocess.CalledProcessError(1, "npm", output="no such package")

    monkeypatch.setattr(runtime_files, "contents", fail)
    assert command.main(["someone/minigpt", "--static"]) == 1
    assert "no such package" in capsys.readouterr().err
    assert hub.calls == []


def test_the_cpu_build_of_torch_is_a_choice(hub: _Hub) -> None:
    assert command.main(["someone/minigpt", "--cpu-torch"]) == 0
    requirements = hub.files["requirements.txt"].decode()
    assert requirements.startswith(command.CPU_TORCH)
    assert "torch==" in requirements


def test_a_dry_run_lists_and_asks_nobody(hub: _Hub, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["someone/minigpt", "--dry-run"]) == 0
    listed = capsys.readouterr().out
    assert all(path in listed for path in files_that_go_up())
    assert hub.calls == []


def test_uncommitted_files_stop_it(
    hub: _Hub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "uncommitted", lambda: ["ui/page.py"])
    assert command.main(["someone/minigpt"]) == 1
    assert "ui/page.py" in capsys.readouterr().err
    assert hub.calls == []


def test_a_missing_token_is_explained(hub: _Hub, capsys: pytest.CaptureFixture[str]) -> None:
    hub.refuses = LocalTokenNotFoundError("no token")
    assert command.main(["someone/minigpt"]) == 1
    assert "hf auth login" in capsys.readouterr().err


def test_a_hub_out_of_reach_is_explained(hub: _Hub, capsys: pytest.CaptureFixture[str]) -> None:
    hub.refuses = command.NoConnection("Name or service not known")
    assert command.main(["someone/minigpt"]) == 1
    assert "can't be reached" in capsys.readouterr().err
