"""The app as a Space runs it: the builder's packages, the Space's variables, every interface."""

from __future__ import annotations

import ast
import json
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.listening import listening_ports
from tests.deploy.space import SPACE
from tests.security.test_log import MARK, whisper_to_the_tools
from tests.ui.started import StartedServer, free_port

pytestmark = pytest.mark.long("installs what a builder installs")


@pytest.fixture(scope="module")
def space(built_python: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedServer]:
    log = tmp_path_factory.mktemp("space") / "log.txt"
    server = StartedServer(free_port(), log, SPACE, python=built_python)
    server.start()
    yield server
    server.stop()


def test_no_port_but_the_pages_is_open(space: StartedServer) -> None:
    """Gradio would open 7887 on a Space, where anybody who reaches it can replace the code."""
    assert space.process is not None
    assert listening_ports(space.process.pid) == {space.port}


def test_the_page_is_rendered_by_python_not_by_node(space: StartedServer) -> None:
    """GRADIO_SSR_MODE=True is set by a Space; Node's pages carry no configuration."""
    with urllib.request.urlopen(space.url, timeout=10) as response:
        assert "window.gradio_config" in response.read().decode()


def test_a_start_is_one_line_in_the_log(space: StartedServer) -> None:
    give_up = time.monotonic() + 30
    while not (lines := space.log.read_text().splitlines()):  # it answers before it says so
        assert time.monotonic() < give_up
        time.sleep(0.1)
    assert len(lines) == 1
    assert " INFO mini_gpt: MiniGPT is at " in lines[0]


def _with_mcp(python: str, url: str) -> dict[str, Any]:
    """What a client of the Model Context Protocol sees and gets; run by `python`, which has it."""
    script = Path(__file__).parent / "mcp_client.py"
    ran = subprocess.run(
        [python, script, url + "gradio_api/mcp/"], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    seen: dict[str, Any] = json.loads(ran.stdout)
    return seen


@pytest.fixture(scope="module")
def mcp(space: StartedServer, built_python: str) -> dict[str, Any]:
    return _with_mcp(built_python, space.url)


def test_the_three_endpoints_are_tools_with_described_parameters(mcp: dict[str, Any]) -> None:
    assert list(mcp["tools"]) == ["next_token", "generate", "trace"]
    for tool in mcp["tools"].values():
        assert len(tool["description"]) > 60
        schema = tool["inputSchema"]
        assert schema["required"] == ["tokens"]
        assert all(parameter["description"] for parameter in schema["properties"].values())


def test_a_tool_answers_with_the_numbers_of_the_lesson(mcp: dict[str, Any]) -> None:
    answered = mcp["next_token"]
    assert not answered["isError"]
    found = ast.literal_eval(answered["text"])  # Gradio's tools answer with Python's repr
    assert found["tokens"] == ["我", "喜欢"]
    assert round(found["probabilities"]["学习"], 4) == 0.4835


def test_a_tool_says_what_is_wrong_and_goes_on(mcp: dict[str, Any]) -> None:
    assert mcp["unknown_word"]["isError"]
    assert "dog" in mcp["unknown_word"]["text"]
    assert "喜欢" in mcp["unknown_word"]["text"]  # the words that can be used instead
    assert not mcp["afterwards"]["isError"]


def test_an_unknown_tool_is_refused(mcp: dict[str, Any]) -> None:
    assert mcp["unknown_tool"]["isError"]


def test_what_the_tools_are_sent_is_not_in_the_log(space: StartedServer) -> None:
    """The package of the protocol logs what it could not read, word by word."""
    before = len(space.log.read_text().splitlines())
    whisper_to_the_tools(space)
    assert MARK not in space.log.read_text()
    assert len(space.log.read_text().splitlines()) < before + 8
