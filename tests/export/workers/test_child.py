"""A worker and its starter: answers, and every way in which they do not come."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from export.workers.child import Child, WorkerError
from tests.export.workers import misbehaving

COMMAND = [sys.executable, "-m", misbehaving.__name__]
SOON = 20.0  # seconds in which a process starts and answers on a busy machine


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def child(log: Path) -> Iterator[Child]:
    with log.open("wb") as file, Child(COMMAND, log=file) as started:
        yield started


def test_questions_are_answered(child: Child) -> None:
    arrays = {"a": np.arange(6, dtype=np.float32).reshape(2, 3)}
    head, result = child.request({"do": "echo", "字": "猫"}, arrays)
    assert (head["pid"], head["字"]) == (child.pid, "猫")
    np.testing.assert_array_equal(result["a"], arrays["a"])
    assert child.alive()


def test_what_is_raised_is_told_and_not_the_end(child: Child, log: Path) -> None:
    with pytest.raises(WorkerError, match=r"^ValueError: first line$"):
        child.request({"do": "raise"})
    assert child.request({"do": "echo"})[0]["do"] == "echo"
    assert "second line" in log.read_text()


@pytest.mark.parametrize("how", ["end", "end in the middle"])
def test_an_end_is_told(child: Child, how: str) -> None:
    for _ in range(2):
        with pytest.raises(WorkerError, match=r"^the process ended with 11$"):
            child.request({"do": how})
    assert not child.alive()


def test_what_is_printed_is_no_answer(child: Child, log: Path) -> None:
    """Whoever prints it: Python, C (a megabyte, more than a pipe holds), another program."""
    child.patience = SOON
    assert child.request({"do": "print"})[0]["do"] == "print"
    child.close()
    printed = log.read_text()
    assert printed.count("c") >= misbehaving.MEGABYTE
    assert "from Python" in printed
    assert "from a program" in printed


def test_requests_are_read_by_the_worker_alone(child: Child) -> None:
    child.patience = SOON
    assert child.request({"do": "read"})[0]["read"] == ""
    assert child.request({"do": "echo"})[0]["do"] == "echo"


def test_who_answers_late_is_ended_and_never_heard_again(child: Child) -> None:
    child.request({"do": "echo"})
    child.patience = 0.2
    start = time.monotonic()
    with pytest.raises(WorkerError, match=r"^no answer within 0 s$"):
        child.request({"do": "sleep"})
    assert time.monotonic() - start < SOON
    with pytest.raises(WorkerError, match=r"^the process ended with -9$"):
        child.request({"do": "echo"})


def test_who_does_not_even_read_is_given_up() -> None:
    """More than a pipe holds is sent to a process that sleeps."""
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    late = pytest.raises(WorkerError, match="no answer within")
    with Child(command, patience=0.2) as child, late:
        child.request({"do": "echo"}, {"a": np.zeros(1 << 20)})


def test_what_is_no_message_ends_it(child: Child) -> None:
    with pytest.raises(WorkerError, match="a head of"):
        child.request({"do": "babble"})
    with pytest.raises(WorkerError, match=r"^the process ended with -9$"):
        child.request({"do": "echo"})


def test_its_messages_come_until_it_ends(child: Child) -> None:
    for do in ("one", "two", "end in the middle"):
        child.send({"do": do})
    assert [head["do"] for head, _ in child.messages()] == ["one", "two"]


def test_messages_sent_at_once_do_not_mix(child: Child) -> None:
    arrays = {"a": np.zeros(1 << 18)}
    threads = [
        threading.Thread(target=child.send, args=({"do": "echo", "at": at}, arrays))
        for at in range(4)
    ]
    for thread in threads:
        thread.start()
    messages = child.messages()
    assert {next(messages)[0]["at"] for _ in threads} == {0, 1, 2, 3}


def test_it_ends_with_its_input(child: Child) -> None:
    child.request({"do": "echo"})
    child.close(patience=SOON)
    assert child._process.returncode == 0
    with pytest.raises(BrokenPipeError):
        child.send({"do": "echo"})


def test_one_that_goes_on_is_killed(child: Child) -> None:
    child.send({"do": "sleep"})
    start = time.monotonic()
    child.close(patience=0.1)
    assert not child.alive()
    assert time.monotonic() - start < SOON
