"""How the page is started: the command line, the environment, and which of them wins."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.ui.started import ROOT
from ui.options import read_options


def test_by_default_only_this_machine_reaches_the_page() -> None:
    options = read_options([], {})
    assert (options.host, options.port, options.root_path) == ("127.0.0.1", 7860, "")


def test_on_a_space_everybody_does() -> None:
    options = read_options([], {"SPACE_ID": "someone/minigpt"})
    assert (options.host, options.port) == ("0.0.0.0", 7860)


def test_the_command_line_wins_over_the_environment() -> None:
    environment = {"GRADIO_SERVER_PORT": "8000", "GRADIO_SERVER_NAME": "::1", "SPACE_ID": "a/b"}
    options = read_options(["--port", "9000"], environment)
    assert (options.host, options.port) == ("::1", 9000)


@pytest.mark.parametrize("given", ["gpt", "/gpt", "/gpt/"])
def test_a_root_path_may_be_written_in_every_way(given: str) -> None:
    assert read_options(["--root-path", given], {}).root_path == "/gpt"


def test_a_root_path_may_be_a_full_address() -> None:
    given = "https://example.org/gpt/"
    assert read_options(["--root-path", given], {}).root_path == "https://example.org/gpt"


@pytest.mark.parametrize(
    "arguments",
    [["--port", "0"], ["--port", "70000"], ["--threads", "0"], ["--body-kb", "-1"], ["--nope"]],
)
def test_a_wrong_option_is_explained(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        read_options(arguments, {})
    assert arguments[0] in capsys.readouterr().err


def test_a_wrong_variable_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        read_options([], {"GRADIO_SERVER_PORT": "http"})
    assert "'http'" in capsys.readouterr().err


def test_help_names_host_port_root_path_and_the_caps() -> None:
    command = [sys.executable, "app.py", "--help"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    options = (
        "host",
        "port",
        "root-path",
        "threads",
        "waiting",
        "body-kb",
        "sessions",
        "trainings",
    )
    for option in options:
        assert f"--{option}" in told


def test_how_many_train_at_once_is_set_by_both() -> None:
    assert read_options([], {}).trainings == 1
    assert read_options([], {"MINI_GPT_TRAININGS": "3"}).trainings == 3
    assert read_options(["--trainings", "2"], {"MINI_GPT_TRAININGS": "3"}).trainings == 2
