"""The queue: capped, in turns, without what nobody asks for; a failure ends one work only."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from export.workers.wire import Head
from model.errors import InputError
from tests.ui.training.fakes import FakeProcess, FakeSpare
from ui.training import queue as queue_module
from ui.training.limits import Caps
from ui.training.process import Spare, WorkerProcess
from ui.training.queue import Work, WorkQueue

SOON = 5.0


class Noted(Work):
    """Work that notes what happens to it in a list it shares with others."""

    def __init__(self, name: str, session: str, notes: list[tuple[str, str]]) -> None:
        super().__init__(session)
        self.name, self.notes = name, notes
        self.broken: set[str] = set()

    def order(self) -> tuple[Head, bytes]:
        self._note("order")
        return {"kind": self.name}, b""

    def hear(self, head: Head, content: bytes) -> None:
        self._note("hear")

    def ended(self, error: InputError | None) -> None:
        self._note(error.code if error else "ended")

    def dropped(self) -> None:
        self._note("dropped")

    def unasked(self) -> None:
        self._note("unasked")

    def _note(self, what: str) -> None:
        self.notes.append((self.name, what))
        if what in self.broken:
            raise ValueError(what)


class Played:
    """A queue over fake processes."""

    def __init__(self, **caps: Any) -> None:
        self.spare = FakeSpare()
        self.notes: list[tuple[str, str]] = []
        given = {"at_once": 1, "waiting": 50, "each": 50, "unasked_seconds": 60.0, **caps}
        self.caps = Caps(**given)
        self.queue = WorkQueue(self.spare, self.caps)

    def put(self, name: str, session: str = "", *broken: str) -> Noted:
        work = Noted(name, session, self.notes)
        work.broken |= set(broken)
        self.queue.put(work)
        return work

    def process(self) -> FakeProcess:
        return self.spare.taken[-1]

    def begun(self) -> list[str]:
        return [name for name, what in self.notes if what == "order"]

    def run_all(self) -> list[str]:
        """Let one end after another; the order in which they began."""
        ended = 0
        while ended < len(self.spare.taken):
            self.spare.taken[ended].reports(None)
            ended += 1
        return self.begun()

    def happened(self, name: str) -> list[str]:
        return [what for each, what in self.notes if each == name]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_module, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(queue_module, "PAUSE_SECONDS", 0.05)


def soon(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def test_after_a_hundred_of_one_session_the_next_person_waits_for_one() -> None:
    played = Played(waiting=200, each=200)
    for number in range(100):
        played.put(f"a{number}", "a")
    late = played.put("b", "b")
    assert played.queue.place(late) == 2
    assert played.run_all()[:4] == ["a0", "a1", "b", "a2"]
    assert len(played.begun()) == 101


def test_sessions_take_turns_whatever_each_has_put() -> None:
    played = Played()
    for session, count in (("a", 4), ("b", 3), ("c", 1)):
        for number in range(count):
            played.put(f"{session}{number}", session)
    assert played.run_all() == ["a0", "a1", "b0", "c0", "a2", "b1", "a3", "b2"]


def test_who_was_served_does_not_wait_behind_all_that_came_later() -> None:
    """A stream of new sessions starves nobody."""
    played = Played()
    played.put("a0", "a")
    mine = played.put("a1", "a")
    for number in range(5):
        played.put(f"new{number}", f"n{number}")
    assert played.queue.place(mine) == 1


def test_work_taken_out_costs_its_session_no_turn() -> None:
    played = Played()
    played.put("first", "x")
    for number in range(3):
        assert played.queue.remove(played.put(f"a{number}", "a"))
    played.put("b", "b")
    played.put("a", "a")
    assert played.run_all() == ["first", "b", "a"]


def test_of_shared_work_the_best_turn_counts() -> None:
    played = Played()
    for number in range(5):
        shared = played.put(f"a{number}", "a")
    assert played.queue.place(shared) == 4
    played.queue.ask(shared, "b")
    assert played.queue.place(shared) == 2


def test_one_more_who_asks_for_the_same_work_never_puts_it_back() -> None:
    played = Played()
    played.put("running", "z")
    shared = played.put("shared", "a")
    for number in range(4):
        played.put(f"b{number}", "b")
    played.queue.ask(shared, "b")  # b's next turn would be the fifth
    assert played.queue.place(shared) == 1


def test_one_session_cannot_have_every_place() -> None:
    played = Played(waiting=50, each=4)
    for number in range(4):
        played.put(f"a{number}", "a")
    with pytest.raises(InputError) as caught:
        played.put("a4", "a")
    assert caught.value.code == "queue_yours"
    assert caught.value.details == {"count": 4}
    played.put("b0", "b")
    played.process().reports(None)
    played.put("a4", "a")  # one of them has ended


def test_what_waits_is_bounded() -> None:
    played = Played(waiting=3)
    for number in range(4):
        played.put(str(number), str(number))
    with pytest.raises(InputError) as caught:
        played.put("late", "late")
    assert caught.value.code == "queue_full"
    assert caught.value.details == {"waiting": 3}
    assert played.happened("late") == []


def test_what_nobody_asks_for_is_dropped_and_makes_room() -> None:
    played = Played(waiting=2, unasked_seconds=0.2)
    played.put("running", "a")
    played.put("left", "b")
    asked = played.put("asked", "c")
    give_up = time.monotonic() + SOON
    while played.happened("left")[-1:] != ["dropped"]:
        played.queue.ask(asked)
        assert time.monotonic() < give_up
        time.sleep(0.01)
    assert played.happened("asked") == []
    assert "unasked" in played.happened("running")
    played.put("new", "d")
    assert played.queue.place(asked) == 1


def test_work_that_takes_too_long_is_ended() -> None:
    played = Played()
    slow = Noted("slow", "a", played.notes)
    slow.seconds = 0.05
    played.queue.put(slow)
    soon(lambda: played.process().ended)
    played.process().reports(None)
    assert played.happened("slow")[-1] == "ended"
    assert played.queue.running() == 0


@pytest.mark.parametrize("error", [OSError(24, "Too many open files"), MemoryError()])
def test_a_process_that_cannot_start_ends_one_work_and_the_next_begins(error: Exception) -> None:
    played = Played()
    played.put("first")
    played.put("second")
    third = played.put("third")
    played.spare.fails = error
    played.process().reports(None)
    assert played.happened("second") == ["order", "process_start"]
    assert played.queue.running() == 0
    assert played.queue.place(third) == 1  # not ended as well within the same moment
    played.spare.fails = None
    soon(lambda: played.happened("third") == ["order"])
    assert len(played.spare.taken) == 2


def test_work_that_cannot_be_told_ends_alone() -> None:
    played = Played()
    played.put("broken", "", "order")
    assert played.happened("broken") == ["order", "ended"]
    played.put("next")
    assert played.happened("next") == ["order"]


def test_a_message_that_makes_no_sense_ends_one_work_and_the_next_begins() -> None:
    played = Played()
    played.put("first", "", "hear")
    played.put("second")
    process = played.process()
    process.reports({"kind": "junk"})
    assert played.happened("first") == ["order", "hear", "ended"]
    assert process.ended
    assert played.happened("second") == ["order"]
    process.reports(None)  # its end comes late, and counts for nothing
    assert played.queue.running() == 1


def test_an_owner_that_fails_at_the_end_keeps_no_place() -> None:
    played = Played()
    played.put("first", "", "ended")
    played.put("second")
    played.process().reports(None)
    assert played.happened("second") == ["order"]


def test_without_a_thread_left_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played()

    def none_left(thread: Any) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", none_left)
        with pytest.raises(InputError) as caught:
            played.put("first")
    assert caught.value.code == "process_start"
    played.put("second")
    assert played.begun() == ["second"]


class Listened(WorkerProcess):
    """A real process that says `said` and ends; what it is listened with is real too."""

    said = b""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        code = f"import os, time; os.write(1, {self.said!r}); time.sleep(60)"
        real = subprocess.Popen

        def other(command: list[str], **how: Any) -> Any:
            return real([command[0], "-c", code], **how)

        with monkeypatch.context() as patched:
            patched.setattr(subprocess, "Popen", other)
            super().__init__()


def with_length(text: bytes) -> bytes:
    """A message's head, whatever it says."""
    return len(text).to_bytes(4, "little") + text


@pytest.mark.parametrize(
    "said",
    [
        b"not a message\n",
        *map(with_length, [b"not JSON", b'{"kind": 1}', b'{"arrays": []}', b"\xff\xfe", b"[]"]),
    ],
)
def test_whatever_a_process_says_its_end_is_heard(
    monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(Listened, "said", said)
    process = Listened(monkeypatch)
    heard: list[Head | None] = []
    process.run({"kind": "x"}, b"", lambda head, content: heard.append(head))
    soon(lambda: heard == [None])
    assert not process.alive()


def test_getting_a_process_ready_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening the form costs nobody an error: who trains is told when a process is needed."""

    def none(*args: Any, **how: Any) -> Any:
        raise OSError(24, "Too many open files")

    spare = Spare()
    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "Popen", none)
        spare.warm_up()
        with pytest.raises(OSError, match="Too many"):
            spare.take()
    spare.warm_up()
    spare.end()
