"""The install line of a Space's builder resolves for every Python the page supports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import builder
from deploy.builder import NEWEST_PIP, install_line

RESOLVE_SECONDS = 600  # metadata only: 13 to 30 s; a package index has slow days


@pytest.fixture(scope="module")
def pip(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A pip that says what it would install without downloading it."""
    folder = tmp_path_factory.mktemp("pip")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), NEWEST_PIP],
        check=True,
    )
    return [sys.executable, str(folder / "pip")]


@pytest.mark.long("resolving asks a package index")
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_builders_line_resolves(pip: list[str], version: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    target = ["--python-version", version, "--only-binary=:all:", "--target", f"{tmp_path}/none"]
    told = ["--dry-run", "--quiet", "--report", str(report)]
    command = [*pip, "install", *told, *target, *install_line()]
    subprocess.run(command, check=True, timeout=RESOLVE_SECONDS)
    found = {
        entry["metadata"]["name"].lower(): entry["metadata"]["version"]
        for entry in json.loads(report.read_text())["install"]
    }
    assert {"gradio", "mcp", "spaces", "torch", "onnxruntime"} <= found.keys()


def test_the_line_holds_what_the_builder_appends() -> None:
    line = install_line()
    assert line[0] == "-r"
    assert line[2:] == [line[2], "uvicorn>=0.14.0", "websockets>=10.4", "spaces"]
    assert line[2].startswith("gradio[oauth,mcp]==")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (subprocess.CalledProcessError(1, ["pip"]), "没有建成："),
        (PermissionError(13, "Permission denied", "locked"), "locked"),
    ],
)
def test_an_environment_that_cannot_be_made_is_a_sentence(
    error: Exception,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(builder, "build", fail)
    assert builder.main([str(tmp_path), "--lang", "zh"]) == 1
    assert said in capsys.readouterr().err


def test_a_file_where_the_environment_should_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").touch()
    assert builder.main([str(tmp_path / "taken"), "--lang", "zh"]) == 1
    assert "taken" in capsys.readouterr().err
