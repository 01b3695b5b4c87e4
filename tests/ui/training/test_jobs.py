"""The line, the running ones, and what happens to each: with processes that a test plays."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from languages import LANGUAGES
from model.errors import InputError
from tests.ui.training.fakes import FakeSpare, spec
from ui.session import enter_session
from ui.training import jobs as jobs_module
from ui.training import limits
from ui.training import queue as queue_module
from ui.training.history import Weights
from ui.training.jobs import Job, Jobs

SOON = 5.0


class Line:
    """Jobs over fake processes, and what they have learned."""

    def __init__(self) -> None:
        self.spare = FakeSpare()
        self.learned: list[tuple[str, int, float]] = []
        self.jobs = Jobs(self._on_weights, self.spare)
        self.keys: dict[str, str] = {}

    def _on_weights(self, job: Job, weights: Weights) -> None:
        self.learned.append((job.keys.id, job.history.step, float(weights[0])))

    def submit(self, **changes: Any) -> str:
        """Start one; the name by which it is looked at."""
        keys = self.jobs.submit(spec(**changes))
        self.keys[keys.id] = keys.key
        return keys.id

    def stop(self, token: str) -> None:
        self.jobs.stop(token, self.keys[token])

    def resume(self, token: str, steps: Any = None) -> None:
        self.jobs.resume(token, self.keys[token], steps)

    def rewind(self, token: str) -> None:
        self.jobs.rewind(token, self.keys[token])

    def status(self, token: str) -> str:
        return str(self.jobs.progress(token, 0)["status"])


@pytest.fixture
def line() -> Iterator[Line]:
    yield Line()
    enter_session({})


def test_one_runs_and_the_others_know_their_place(line: Line) -> None:
    tokens = [line.submit() for _ in range(3)]
    assert len(line.spare.taken) == limits.TRAININGS.at_once == 1
    assert [line.jobs.progress(token, 0)["place"] for token in tokens] == [0, 1, 2]
    assert [line.status(token) for token in tokens] == ["starting", "waiting", "waiting"]
    line.spare.taken[0].progresses(range(41), spec())
    line.spare.taken[0].finishes(40, spec())
    assert [line.jobs.progress(token, 0)["place"] for token in tokens] == [0, 0, 1]
    assert [line.status(token) for token in tokens] == ["finished", "starting", "waiting"]


def test_tokens_cannot_be_guessed_and_open_one_job_only(line: Line) -> None:
    mine, other = line.submit(), line.submit(seed=1)
    assert re.fullmatch("[0-9a-f]{32}", mine)
    assert mine[:8] != other[:8]
    for wrong in ("", mine[:-1], mine.upper() + "x", None, 3, ["x"]):
        with pytest.raises(InputError) as caught:
            line.jobs.progress(wrong, 0)
        assert caught.value.code == "training_unknown"


def test_progress_from_a_step_on(line: Line) -> None:
    token = line.submit()
    line.spare.taken[0].progresses(range(10), spec())
    answer = line.jobs.progress(token, 7)
    assert [point[0] for point in answer["points"]] == [7, 8, 9]
    assert answer["status"] == "running"
    assert (answer["step"], answer["steps"]) == (9, 40)
    assert answer["kept"] == list(range(10))
    assert answer["floor"] == 0
    assert f"{answer['uniform']:.4f}" == "1.6094"


def test_a_finished_training_hands_its_weights_on(line: Line) -> None:
    token = line.submit()
    process = line.spare.taken[0]
    process.progresses(range(41), spec())
    process.finishes(40, spec())
    assert line.status(token) == "finished"
    assert line.learned == [(token, 40, 40.0)]


def test_stopped_in_line_and_stopped_while_running(line: Line) -> None:
    running, waiting = line.submit(), line.submit()
    line.stop(waiting)
    assert line.status(waiting) == "stopped"
    process = line.spare.taken[0]
    line.stop(running)
    line.stop(running)  # a second click changes nothing
    assert process.stopped
    process.progresses(range(8), spec())
    process.finishes(7, spec())
    assert line.status(running) == "stopped"
    assert line.learned == [(running, 7, 7.0)]
    assert len(line.spare.taken) == 1


def test_a_stopped_training_goes_on_where_it_was(line: Line) -> None:
    token = line.submit()
    first = line.spare.taken[0]
    assert (first.head["step"], first.content) == (0, b"")
    first.progresses(range(8), spec())
    first.reports({"kind": "state", "step": 7}, b"all it needs")
    first.finishes(7, spec())
    line.resume(token, 60)
    second = line.spare.taken[1]
    assert (second.head["step"], second.content) == (7, b"all it needs")
    assert second.head["settings"]["steps"] == 60
    second.progresses(range(7, 61), spec())
    second.finishes(60, spec())
    answer = line.jobs.progress(token, 0)
    assert [point[0] for point in answer["points"]] == list(range(61))
    assert answer["status"] == "finished"


def test_under_way_nothing_is_resumed_or_rewound(line: Line) -> None:
    token = line.submit()
    for change in (line.resume, line.rewind):
        with pytest.raises(InputError) as caught:
            change(token)
        assert caught.value.code == "training_busy"


def test_rewound_is_at_its_first_weights(line: Line) -> None:
    token = line.submit()
    line.spare.taken[0].progresses(range(41), spec())
    line.spare.taken[0].finishes(40, spec())
    line.rewind(token)
    answer = line.jobs.progress(token, 0)
    assert (answer["status"], answer["step"], answer["kept"]) == ("stopped", 0, [0])
    line.resume(token)
    assert line.spare.taken[1].head["step"] == 0


def test_a_killed_process_is_told_and_what_was_kept_stays(line: Line) -> None:
    token = line.submit()
    process = line.spare.taken[0]
    process.progresses(range(8), spec())
    process.reports({"kind": "state", "step": 5}, b"state")
    process.reports(None)
    answer = line.jobs.progress(token, 0)
    assert answer["status"] == "lost"
    assert answer["error"].code == "training_lost"
    assert answer["error"].details == {"step": 7}
    assert line.learned == [(token, 7, 7.0)]
    line.resume(token)
    assert line.spare.taken[1].head["step"] == 5
    assert line.jobs.progress(token, 0)["error"] is None


def test_killed_before_anything_was_learned(line: Line) -> None:
    token = line.submit()
    line.spare.taken[0].reports(None)
    assert line.status(token) == "lost"
    assert line.learned == []


def test_a_loss_that_is_not_finite_is_told_with_the_last_good_weights(line: Line) -> None:
    token = line.submit()
    process = line.spare.taken[0]
    process.progresses(range(3), spec())
    error = {"code": "training_diverged", "details": {"step": 3, "learning_rate": "1e38"}}
    process.finishes(2, spec(), error)
    answer = line.jobs.progress(token, 0)
    assert answer["status"] == "failed"
    assert "1e38" in answer["error"].text("zh")
    assert line.learned == [(token, 2, 2.0)]


def test_the_line_is_bounded(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.TRAININGS, "waiting", 2)
    for _ in range(3):
        line.submit()
    with pytest.raises(InputError) as caught:
        line.submit()
    assert caught.value.code == "queue_full"
    assert caught.value.details == {"waiting": 2}


def test_one_session_cannot_take_every_place(line: Line) -> None:
    enter_session({"session_hash": "attacker"})
    for _ in range(limits.TRAININGS.each):
        line.submit()
    for _ in range(limits.TRAININGS.waiting):
        with pytest.raises(InputError) as caught:
            line.submit()
        assert caught.value.code == "queue_yours"
        for language in LANGUAGES:
            assert str(limits.TRAININGS.each) in caught.value.text(language)
    enter_session({"session_hash": "me"})
    mine = line.submit()
    assert line.jobs.progress(mine, 0)["place"] == 2  # after one of the attacker's


@pytest.mark.parametrize("change", ["stop", "resume", "rewind"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_who_has_only_the_link_changes_nothing(line: Line, change: str, language: str) -> None:
    token = line.submit()
    line.spare.taken[0].progresses(range(8), spec())
    if change != "stop":
        line.spare.taken[0].finishes(7, spec())
    before = line.jobs.progress(token, 0)
    for key in (None, "", token, 3, ["x"], line.keys[token][:-1], line.keys[token] + "é"):
        with pytest.raises(InputError) as caught:
            getattr(line.jobs, change)(token, key)
        assert caught.value.code == "training_look_only"
        assert caught.value.text(language)
    assert line.jobs.progress(token, 0) == before
    assert not line.spare.taken[0].stopped
    assert np.all(line.jobs.weights_at(token, 3)[1] == 3)  # looking is open
    getattr(line, change)(token)


def test_the_key_is_no_part_of_what_is_looked_at(line: Line) -> None:
    token = line.submit()
    line.spare.taken[0].progresses(range(8), spec())
    assert re.fullmatch("[0-9a-f]{32}", line.keys[token])
    assert line.keys[token] not in str(line.jobs.progress(token, 0))
    assert line.keys[token] != token


def test_a_process_that_cannot_start_is_told_and_its_place_given_back(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_module, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(queue_module, "TICK_SECONDS", 0.02)
    first, second, third = (line.submit() for _ in range(3))
    line.spare.fails = OSError(24, "Too many open files")
    line.spare.taken[0].finishes(0, spec())
    answer = line.jobs.progress(second, 0)
    assert (answer["status"], answer["error"].code) == ("lost", "process_start")
    assert line.status(third) == "waiting"
    line.spare.fails = None
    soon(lambda: line.status(third) == "starting")
    line.resume(second)
    line.spare.taken[1].finishes(0, spec())
    soon(lambda: line.status(second) == "starting")
    assert line.jobs.progress(second, 0)["error"] is None
    assert line.status(first) == "stopped"


def test_weights_that_cannot_be_kept_end_one_training(line: Line) -> None:
    first, second = line.submit(), line.submit()
    process = line.spare.taken[0]
    process.progresses(range(41), spec())
    process.reports({"kind": "end", "error": {}}, b"odd")  # no whole number of floats
    answer = line.jobs.progress(first, 0)
    assert (answer["status"], answer["error"].code) == ("lost", "training_lost")
    assert line.learned == [(first, 40, 40.0)]  # what was kept on the way
    assert line.status(second) == "starting"


def test_a_refused_continuation_leaves_the_training_as_it_was(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = line.submit()
    line.spare.taken[0].finishes(0, spec())
    before = line.jobs.progress(token, 0)
    line.submit()
    monkeypatch.setattr(limits.TRAININGS, "waiting", 0)
    with pytest.raises(InputError):
        line.resume(token, 60)
    assert line.jobs.progress(token, 0) == before


def test_one_session_s_finished_trainings_push_out_its_own(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KEPT_JOBS", 3)
    enter_session({"session_hash": "me"})
    mine = line.submit()
    line.spare.taken[-1].finishes(0, spec())
    enter_session({"session_hash": "attacker"})
    for _ in range(10):
        line.submit()
        line.spare.taken[-1].finishes(0, spec())
    assert line.jobs.has(mine)


def test_finished_jobs_are_bounded_the_longest_unasked_goes_first(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KEPT_JOBS", 2)
    tokens = []
    for _ in range(3):
        tokens.append(line.submit())
        line.spare.taken[-1].finishes(0, spec())
    assert not line.jobs.has(tokens[0])
    assert line.jobs.has(tokens[1])
    assert line.jobs.has(tokens[2])


def test_what_nobody_asks_for_is_stopped_then_forgotten(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits.TRAININGS, "unasked_seconds", 0.2)
    monkeypatch.setattr(limits, "FORGOTTEN_SECONDS", 0.4)
    monkeypatch.setattr(queue_module, "TICK_SECONDS", 0.05)
    token = line.submit()
    process = line.spare.taken[0]
    soon(lambda: process.stopped)
    process.progresses(range(3), spec())
    process.finishes(2, spec())
    soon(lambda: not line.jobs.has(token))


def test_what_is_asked_for_goes_on(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.TRAININGS, "unasked_seconds", 0.5)
    monkeypatch.setattr(queue_module, "TICK_SECONDS", 0.05)
    token = line.submit()
    for _ in range(20):
        time.sleep(0.05)
        line.jobs.progress(token, 0)
    assert not line.spare.taken[0].stopped


def test_a_process_that_does_not_stop_is_ended(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "_PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(queue_module, "TICK_SECONDS", 0.05)
    token = line.submit()
    line.stop(token)
    soon(lambda: line.spare.taken[0].ended)


def test_weights_of_an_earlier_step(line: Line) -> None:
    token = line.submit()
    line.spare.taken[0].progresses(range(8), spec())
    of, weights = line.jobs.weights_at(token, 3)
    assert of.config.model_dim == 4
    assert np.all(weights == 3)


def soon(holds: Any) -> None:
    """Wait until `holds()`, or fail."""
    give_up = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.02)
