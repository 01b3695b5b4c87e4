"""`python -m deploy`, with a Hub that only writes down what it is told."""

from __future__ import annotations

import functools
import io
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from huggingface_hub.errors import LocalTokenNotFoundError, RepositoryNotFoundError

from deploy import __main__ as command
from deploy import nginx
from deploy.files import ROOT, files_that_go_up, write_files
from deploy.header import read_header
from tests.environments import without_proxies
from ui.static_page import runtime_files


class _Hub:
    """Notes calls, and the files of an upload while they are there."""

    calls: list[tuple[str, dict[str, Any]]]
    holds: list[str] | None = None  # None: there is no such Space
    last = ""
    files: dict[str, bytes]
    refuses: Exception | None = None

    def list_repo_files(self, space: str, repo_type: str) -> list[str]:
        assert repo_type == "space"
        if self.refuses:
            raise self.refuses
        if self.holds is None:
            response = SimpleNamespace(headers={}, request=None, status_code=404)
            raise RepositoryNotFoundError("not found", response=response)  # type: ignore[arg-type]
        return self.holds

    def list_repo_commits(self, space: str, repo_type: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(title=self.last), SimpleNamespace(title="initial commit")]

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


@pytest.mark.parametrize("language", ["zh", "en"])
def test_with_a_wrong_header_nothing_goes_up(
    hub: _Hub,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
) -> None:
    monkeypatch.setattr(
        command, "header_faults", lambda *_: [("deploy.header_missing", {"key": "emoji"})]
    )
    assert command.main(["someone/minigpt", "--lang", language]) == 1
    assert hub.calls == []
    said = {"zh": "README.md 的文件头有误", "en": "the header of README.md is wrong"}[language]
    told = capsys.readouterr().err
    assert said in told
    assert {"zh": "缺少 emoji", "en": "emoji is missing"}[language] in told


def test_a_dry_run_names_what_is_not_committed(
    hub: _Hub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "uncommitted", lambda: ["ui/new.py"])
    assert command.main(["--dry-run", "someone/minigpt"]) == 0
    assert hub.calls == []
    assert "not committed yet: ui/new.py" in capsys.readouterr().out


def test_what_the_hub_refuses_is_said(hub: _Hub, capsys: pytest.CaptureFixture[str]) -> None:
    hub.refuses = ValueError("no such namespace")
    assert command.main(["someone/minigpt", "--yes"]) == 1
    assert hub.calls == []
    assert "the Hub refused: no such namespace" in capsys.readouterr().err


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


@pytest.mark.parametrize(
    "error",
    [
        httpx2.ConnectError("Name or service not known"),
        httpx2.InvalidURL("Invalid port: ':1'"),  # of no_proxy=::1/128
        ImportError("Using SOCKS proxy, but the 'socksio' package is not installed."),
    ],
)
def test_a_hub_out_of_reach_is_explained(
    hub: _Hub, error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.refuses = error
    assert command.main(["someone/minigpt"]) == 1
    assert command.main(["someone/minigpt", "--lang", "zh"]) == 1
    told = capsys.readouterr().err
    assert "cannot reach the Hub" in told
    assert "连不上 Hub" in told


@pytest.mark.parametrize(
    "variable",
    [
        "all_proxy=socks5://127.0.0.1:9",
        pytest.param("https_proxy=::bad", marks=pytest.mark.long("a process of its own")),
    ],
)
def test_so_is_what_the_hubs_own_client_makes_of_a_proxy(variable: str) -> None:
    """In a process of its own, with the client itself: it reads the variables once."""
    script = (
        "import sys\nfrom deploy import __main__ as command\n"
        "command.uncommitted = lambda: []\ncommand.write_files = lambda folder: []\n"
        "sys.exit(command.main(['someone/minigpt', '--lang', 'zh']))"
    )
    name, _, value = variable.partition("=")
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**without_proxies(), "HF_TOKEN": "hf_nobodys", name: value},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 1
    assert done.stderr.startswith("连不上 Hub；请检查代理环境变量")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("git", ["missing", "no repository", "another's repository"])
def test_a_dry_run_of_a_downloaded_archive(
    git: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "outer" / "MiniGPT-main"
    left_behind = ("ui/__pycache__/page.pyc", "web/.hidden/x.js", "docs/.DS_Store")
    for path in ("app.py", "ui/page.py", "tests/test_x.py", "notes.txt", *left_behind):
        (archive / path).parent.mkdir(parents=True, exist_ok=True)
        (archive / path).write_text("text")
    for path in ("README.md", "requirements.txt", ".dockerignore"):
        shutil.copyfile(ROOT / path, archive / path)
    if git == "missing":
        monkeypatch.setenv("PATH", str(tmp_path))
    if git == "another's repository":
        _commit_all(tmp_path / "outer")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    expected = [".dockerignore", "README.md", "app.py", "requirements.txt", "ui/page.py"]
    assert files_that_go_up(archive) == expected
    assert write_files(tmp_path / "target", archive) == expected
    assert (tmp_path / "target" / "ui" / "page.py").read_text() == "text"
    monkeypatch.setattr(command, "ROOT", archive)
    for name in ("files_that_go_up", "uncommitted", "commit"):
        monkeypatch.setattr(command, name, functools.partial(getattr(command, name), archive))
    assert command.main(["someone/minigpt", "--dry-run"]) == 0
    assert command.main(["someone/minigpt", "--dry-run", "--lang", "zh"]) == 0
    told = capsys.readouterr()
    assert "5 files in this folder" in told.out
    assert "这个文件夹里的 5 个文件" in told.out
    assert told.err == ""


def _commit_all(folder: Path) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "all")):
        subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True)


@pytest.mark.parametrize(
    "arguments", [["--path", "/gpt; }"], ["--listen", ""], ["--predictions", "$host"]]
)
def test_what_is_no_address_for_nginx_is_a_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert nginx.main(arguments) == 2
    assert nginx.main([*arguments, "--lang", "zh"]) == 2
    told = capsys.readouterr()
    assert "is neither an address nor a path" in told.err
    assert "不是地址，也不是路径" in told.err
    assert told.out == ""


FOREIGN = ["README.md", "app.py", "data/precious.csv"]


def test_a_space_that_is_not_this_page_is_not_replaced_unasked(
    hub: _Hub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.holds, hub.last = FOREIGN, "my own work"
    monkeypatch.setattr("sys.stdin", io.StringIO("someone/minigpt\n"))  # nobody can be asked
    assert command.main(["someone/minigpt"]) == 1
    told = capsys.readouterr().err
    assert "data/precious.csv" in told
    assert "Nothing was changed" in told
    assert "--yes" in told
    assert command.main(["someone/minigpt", "--lang", "zh"]) == 1
    assert "什么都没有改动" in capsys.readouterr().err
    assert hub.calls == []


class _Terminal(io.StringIO):
    """A person who types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "goes_up"), [("someone/minigpt", True), ("y", False), ("", False)]
)
def test_a_person_is_asked_for_its_name(
    hub: _Hub, monkeypatch: pytest.MonkeyPatch, typed: str, goes_up: bool
) -> None:
    hub.holds, hub.last = FOREIGN, "my own work"
    monkeypatch.setattr("sys.stdin", _Terminal(f"{typed}\n"))
    assert command.main(["someone/minigpt"]) == (0 if goes_up else 1)
    assert bool(hub.calls) == goes_up


@pytest.mark.parametrize(
    ("holds", "last", "more"),
    [
        (None, "", []),
        ([".gitattributes", "README.md"], "initial commit", []),
        (FOREIGN, "MiniGPT 1a2b3c4", []),
        (FOREIGN, "my own work", ["--yes"]),
    ],
)
def test_a_new_an_empty_and_this_pages_own_space_need_no_word(
    hub: _Hub, holds: list[str] | None, last: str, more: list[str]
) -> None:
    hub.holds, hub.last = holds, last
    assert command.main(["someone/minigpt", *more]) == 0
    assert [name for name, _ in hub.calls] == ["create_repo", "upload_folder"]
