"""`python -m ui.static_page`: what is wrong is said before any work."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from ui.static_page import __main__ as command
from ui.static_page import runtime_files


def never(*_: object) -> Any:
    pytest.fail("the work was begun")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_folder_that_cannot_be_written_is_one_sentence_before_any_work(
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "assemble", never)
    (tmp_path / "taken").touch()
    out = tmp_path / "taken" / "below"
    assert command.main(["--out", str(out), "--lang", language]) == 1
    told = capsys.readouterr().err
    assert "taken" in told
    assert told.startswith({"zh": "错误：", "en": "error: "}[language])
    assert told.count("\n") == 1


def test_a_failing_npm_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> dict[str, bytes]:
        raise subprocess.CalledProcessError(1, "npm", output="no such package")

    monkeypatch.setattr(runtime_files, "contents", fail)
    assert command.main(["--out", str(tmp_path)]) == 1
    assert "no such package" in capsys.readouterr().err
