"""The benchmarks' command lines: a mistake is a sentence, before minutes of measuring."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from bench import click, decode, pages, start, training
from bench.load import __main__ as load
from bench.load import scenarios
from tests.needed import program


def never(*_: object, **__: object) -> Any:
    pytest.fail("it was measured")


@pytest.fixture(autouse=True)
def _nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "prepared", never)
    monkeypatch.setattr(load, "measurements", lambda _: {"class": never})
    monkeypatch.setattr(training, "our_loop", never)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--sizes", "small,huge"], "huge"),
        (["--peers", "nobody"], "nobody：只能是"),
        (["--rounds", "x"], "参数 --rounds：必须是整数"),
    ],
)
def test_names_and_numbers_that_are_none(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        decode.main([*arguments, "--lang", "zh"])
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"machine": []}'])
def test_results_of_something_else_are_left_alone(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "decode.json"
    path.write_text(content)
    with pytest.raises(SystemExit, match="2"):
        decode.main(["--out", str(path)])
    assert "was not written by this command" in capsys.readouterr().err
    assert path.read_text() == content


def test_a_folder_that_cannot_be_written_is_said_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").touch()
    below = tmp_path / "taken" / "below"
    with pytest.raises(SystemExit, match="1"):
        decode.main(["--out", str(below / "decode.json")])
    monkeypatch.setattr(load, "RESULTS", below)
    assert load.main([]) == 1
    assert capsys.readouterr().err.count("taken") == 2


@pytest.mark.parametrize("rounds", ["0", "-1"])
def test_no_rounds_have_no_median(rounds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        training.main(["--rounds", rounds, "--lang", "zh"])
    assert "rounds 必须是正整数" in capsys.readouterr().err


@pytest.mark.parametrize("command", [start, click])
def test_without_chromium_the_page_is_not_even_started(
    command: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    monkeypatch.setattr("subprocess.Popen", never)
    with pytest.raises(SystemExit, match="0"):
        command.main(["--help"])
    assert "--lang" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="/nowhere/chromium"):
        command.main([])


@pytest.mark.parametrize("started", ["app.py", "-m bench.pages"])
def test_a_server_that_cannot_start_is_a_sentence(
    started: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", program("false"))
    monkeypatch.setattr(start, "browser", lambda: nullcontext(Mock()))
    monkeypatch.setattr(start, "EMPTY", pages.PAGE if started == "app.py" else pages.EMPTY)
    with pytest.raises(SystemExit, match="2"):
        start.main(["--lang", "zh"])
    said = f"没能启动：请运行 `python {started}` 看看原因"
    assert said in capsys.readouterr().err
    monkeypatch.setattr(load, "measurements", lambda _: {"class": scenarios.class_load})
    assert load.main(["--quick"]) == 2
    assert "did not start: run `python app.py` to see why" in capsys.readouterr().err
