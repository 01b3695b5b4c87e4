"""Processes that stop, are killed, or lose the line: what was written stays, what runs ends."""

from __future__ import annotations

import json
import os
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.needed import IN_CI
from tests.ui.reading import chips, click_word
from tests.ui.started import StartedServer, started

STOPPED_SECONDS = 5 if IN_CI else 2
PATIENCE_SECONDS = 90.0  # a training process loads torch first


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[StartedServer]:
    server = started(tmp_path / "log.txt")
    yield server
    if server.process is not None:
        server.process.send_signal(signal.SIGCONT)
    server.stop()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[[StartedServer], Any]]:
    """`opened(server)` -> its page with numbers."""
    context = browser.new_context(locale="en-US")

    def open_(server: StartedServer) -> Any:
        page = context.new_page()
        page.goto(server.url + "?v=1&lang=en&tokens=0")
        page.locator(".mg-bars tbody tr").first.wait_for()
        return page

    yield open_
    context.close()


def _has_other_numbers(page: Any, before: str) -> None:
    """Wait until the bars are other than `before` and no message is shown."""
    page.wait_for_function(
        """before => document.querySelector('.mg-bars').innerText !== before
            && !document.querySelector('[role=alert]')?.innerText.trim()""",
        arg=before,
    )


def _write(page: Any, *words: str) -> None:
    for word in words:
        click_word(page, word)


@pytest.mark.parametrize("seconds", [2, pytest.param(30, marks=pytest.mark.long("half a minute"))])
def test_offline_nothing_is_lost_and_numbers_come_when_the_line_is_back(
    opened: Callable[[StartedServer], Any], server: StartedServer, seconds: int
) -> None:
    page = opened(server)
    before = page.locator(".mg-bars").inner_text()
    page.context.set_offline(True)
    _write(page, "喜欢", "猫")
    page.get_by_role("alert").filter(has_text="onnection").wait_for()
    page.wait_for_timeout(seconds * 1000)
    assert chips(page) == ["我", "喜欢", "猫"]
    page.context.set_offline(False)
    _has_other_numbers(page, before)
    # Back and forward keep the sentence.
    page.wait_for_url("**tokens=0-1-4**")
    page.goto(server.url + "healthz")
    page.go_back()
    page.locator(".mg-bars tbody tr").first.wait_for()
    assert chips(page) == ["我", "喜欢", "猫"]


@pytest.mark.long("a server of its own")
def test_a_server_that_was_stopped_answers_when_it_goes_on(
    opened: Callable[[StartedServer], Any], own_server: StartedServer
) -> None:
    """As after the lid of a laptop was shut."""
    assert own_server.process is not None
    page = opened(own_server)
    before = page.locator(".mg-bars").inner_text()
    own_server.process.send_signal(signal.SIGSTOP)
    _write(page, "喜欢", "猫")
    page.wait_for_timeout(STOPPED_SECONDS * 1000)
    assert chips(page) == ["我", "喜欢", "猫"]
    own_server.process.send_signal(signal.SIGCONT)
    _has_other_numbers(page, before)


def _call(server: StartedServer, name: str, request: dict[str, Any]) -> dict[str, Any]:
    with urllib.request.urlopen(server.url + "config", timeout=20) as response:
        components = json.load(response)["components"]
    number = next(c["id"] for c in components if c["type"] == "html")
    body = {"data": request, "component_id": number, "fn_name": name, "session_hash": "x"}
    asked = urllib.request.Request(
        server.url + "gradio_api/component_server",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=60) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


TASK = {
    "corpus": "我 喜欢 猫\n我 喜欢 AI",
    "steps": 2000,
    "learning_rate": 0.01,
    "seed": 0,
    "model": {
        "num_layers": 2,
        "num_heads": 2,
        "model_dim": 8,
        "context_length": 8,
        "dropout": 0.0,
    },
}


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def _wait(is_so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < give_up
        time.sleep(0.1)


@pytest.mark.long("a server and a training for each")
@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM])
def test_a_training_ends_with_its_server(own_server: StartedServer, way: signal.Signals) -> None:
    assert own_server.process is not None
    answer = _call(own_server, "training_start", {"task": TASK})
    assert answer.get("error") is None
    _wait(lambda: _call(own_server, "training_progress", {"id": answer["id"]})["step"] > 0)
    children = _children(own_server.process.pid)
    assert children
    own_server.process.send_signal(way)
    own_server.process.wait()
    _wait(lambda: not any(map(_alive, children)))


@pytest.mark.long("a server and two trainings")
def test_a_killed_training_is_told_and_the_next_one_runs(own_server: StartedServer) -> None:
    assert own_server.process is not None
    first = _call(own_server, "training_start", {"task": TASK})["id"]
    _wait(lambda: _call(own_server, "training_progress", {"id": first})["step"] > 0)
    for child in _children(own_server.process.pid):
        os.kill(child, signal.SIGKILL)
    _wait(lambda: _call(own_server, "training_progress", {"id": first})["status"] == "lost")
    second = _call(own_server, "training_start", {"task": TASK | {"steps": 5}})["id"]
    _wait(lambda: _call(own_server, "training_progress", {"id": second})["status"] == "finished")
    assert "Traceback" not in own_server.log.read_text()
