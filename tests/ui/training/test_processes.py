"""Real training processes: the same weights as without one, side by side, killed, left alone."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
import pytest
import torch

from export.compare import compare, failures
from export.precision import bounds, own_distance
from export.runtimes.editable import session_runner
from export.runtimes.onnx_runtime import onnxruntime_runner, session_for
from export.runtimes.pytorch import pytorch_runner
from export.shipped import compared_prompts
from export.workers.child import Child
from model.config import MiniGPTConfig
from model.corpus import read_corpus
from model.parameters import weights_of
from model.teaching import teaching_model
from model.trace import trace_shapes
from model.training import new_model, train
from model.vocabulary import LESSON_WORDS
from tests.ui.training.fakes import spec
from ui.training import limits
from ui.training.graphs import Graphs
from ui.training.history import Weights
from ui.training.jobs import ACTIVE, Job, Jobs
from ui.training.own import OwnModels
from ui.training.process import Spare, WorkerProcess
from ui.training.spec import TrainingSpec

T = TypeVar("T")

PATIENCE = 300.0  # seconds for a process that starts on a busy machine


class Started:
    """Jobs with real processes."""

    def __init__(self) -> None:
        self.spare = Spare()
        self.learned: dict[str, Weights] = {}
        self.jobs = Jobs(self._on_weights, self.spare)

    def _on_weights(self, job: Job, weights: Weights) -> None:
        self.learned[job.keys.id] = weights.copy()

    def rests(self, token: str) -> dict[str, Any]:
        """The job's last word, once it is not under way."""
        return until(lambda: self.progress(token), lambda answer: answer["status"] not in ACTIVE)

    def progress(self, token: str) -> dict[str, Any]:
        return self.jobs.progress(token, 0)


@pytest.fixture
def started() -> Iterator[Started]:
    made = Started()
    yield made
    made.jobs.end()
    made.spare.end()
    until(made.jobs.running, lambda count: count == 0)


def until(ask: Callable[[], T], holds: Callable[[T], bool]) -> T:
    """What `ask` says once it `holds`."""
    give_up = time.monotonic() + PATIENCE
    while not holds(answer := ask()):
        assert time.monotonic() < give_up, answer
        time.sleep(0.05)
    return answer


def learned_here(of: TrainingSpec) -> Weights:
    """The weights of the same training in this process."""
    torch.set_num_threads(1)
    model = new_model(of.config, of.settings.seed)
    if of.start == "teaching":
        model.load_state_dict(teaching_model().state_dict())
    list(train(model, of.corpus, of.settings, of.watched))
    return np.concatenate([value.ravel() for value in weights_of(model).values()])


@pytest.mark.long("processes that train or export")
def test_two_trainings_at_once_do_not_mix(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits.TRAININGS, "at_once", 2)
    specs = [
        spec(seed=1, steps=60, dropout=0.2),
        spec(seed=2, steps=80, corpus="猫喜欢AI\n我喜欢学习", num_layers=2),
    ]
    tokens = [started.jobs.submit(each).id for each in specs]
    answers = until(  # both are asked for all the time, or one would be stopped
        lambda: [started.progress(token) for token in tokens],
        lambda answers: all(answer["status"] not in ACTIVE for answer in answers),
    )
    for token, each, answer in zip(tokens, specs, answers, strict=True):
        assert answer["status"] == "finished"
        assert answer["kept"] == list(range(each.settings.steps + 1))
        assert np.array_equal(started.learned[token], learned_here(each))
        assert np.array_equal(started.jobs.weights_at(token, each.settings.steps)[1],
                              started.learned[token])  # fmt: skip


@pytest.mark.long("processes that train or export")
def test_killed_stopped_and_resumed_it_learns_the_same(started: Started) -> None:
    whole = spec(steps=1500, num_layers=2, start="random")
    token, key = started.jobs.submit(whole)
    until(lambda: started.progress(token), lambda answer: answer["step"] > 100)
    run = started.jobs._jobs[token].run
    assert run is not None
    process = run.process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    lost = started.rests(token)
    assert lost["status"] == "lost"
    assert lost["error"].code == "training_lost"
    assert lost["step"] == lost["kept"][-1] > 100
    started.jobs.resume(token, key)
    until(lambda: started.progress(token), lambda answer: answer["step"] > lost["step"])
    started.jobs.stop(token, key)
    stopped = started.rests(token)
    assert stopped["status"] == "stopped"
    assert np.array_equal(
        started.learned[token], started.jobs.weights_at(token, stopped["step"])[1]
    )
    started.jobs.resume(token, key)
    assert started.rests(token)["status"] == "finished"
    assert np.array_equal(started.learned[token], learned_here(whole))


@pytest.mark.long("processes that train or export")
def test_rewound_and_trained_again_is_the_same(started: Started) -> None:
    of = spec(start="teaching", steps=30)
    token, key = started.jobs.submit(of)
    assert started.rests(token)["status"] == "finished"
    first = started.learned[token]
    started.jobs.rewind(token, key)
    hand_set = weights_of(teaching_model()).values()
    assert np.array_equal(
        started.jobs.weights_at(token, 0)[1], np.concatenate([v.ravel() for v in hand_set])
    )
    started.jobs.resume(token, key)
    assert started.rests(token)["step"] == 30
    assert np.array_equal(started.learned[token], first)


def test_a_loss_that_is_not_finite_is_explained(started: Started) -> None:
    token = started.jobs.submit(spec(learning_rate=1e38)).id
    answer = started.rests(token)
    assert answer["status"] == "failed"
    assert answer["error"].code == "training_diverged"
    assert np.isfinite(started.learned[token]).all()


@pytest.mark.long("processes that train or export")
def test_the_form_of_new_sizes_agrees_with_pytorch() -> None:
    config = MiniGPTConfig(5, 3, 6, 2, 1)
    graphs = Graphs(Spare())
    graphs.prepare(config)
    content = until(lambda: graphs._made.get(config, b""), bool)
    model = new_model(config, 4).eval()
    names = tuple(trace_shapes(1))
    prompts = list(compared_prompts(5, 3, 125))
    allowed = bounds(own_distance(model, names, prompts))
    run = session_runner(session_for(content), config, weights_of(model))
    for token_ids in prompts:
        assert not failures(
            compare(pytorch_runner(model, names)(token_ids), run(token_ids), allowed)
        )


@pytest.mark.long("processes that train or export")
def test_files_are_made_and_agree() -> None:
    from ui.training.files import Files

    config = MiniGPTConfig(5, 2, 4, 2, 1, 0.1)
    model = new_model(config, 4).eval()
    own = OwnModels().load(config, weights_of(model), LESSON_WORDS)
    files = Files(Spare())
    state = until(lambda: files.state(own), lambda answer: answer["state"] != "preparing")
    assert state["state"] == "ready"
    assert (state["proof"]["prompts"], state["proof"]["drawn"]) == (30, 0)
    token_ids = np.array([[0, 1]])
    ran = onnxruntime_runner(own.files["mini_gpt_own.onnx"])(token_ids)
    expected = pytorch_runner(model, ("logits",))(token_ids)
    np.testing.assert_allclose(ran["logits"], expected["logits"], atol=1e-5)
    traced = onnxruntime_runner(own.files["mini_gpt_own_trace.onnx"])(token_ids)
    assert list(traced) == list(trace_shapes(1))


@pytest.mark.long("processes that train or export")
def test_weights_that_overflow_end_their_task_with_a_sentence_and_the_next_is_done(
    capfd: pytest.CaptureFixture[str],
) -> None:
    from ui.training.files import Files

    config = MiniGPTConfig(5, 2, 4, 2, 1)
    good = weights_of(new_model(config, 4))
    huge = {name: np.full_like(value, 3e38) for name, value in good.items()}
    store = OwnModels()
    first, second = (store.load(config, each, LESSON_WORDS) for each in (huge, good))
    files = Files(Spare())
    ended: dict[str, Any] = {}

    def states() -> list[str]:
        for name, own in (("huge", first), ("good", second)):
            if name not in ended:
                state = files.state(own)
                if state["state"] in ("ready", "failed"):
                    ended[name] = state
        return list(ended)

    assert until(states, lambda names: len(names) == 2) == ["huge", "good"]
    assert ended["huge"]["trouble"].code == "files_differ"
    assert ended["good"]["state"] == "ready"
    assert "Traceback" not in (said := capfd.readouterr().err), said
    assert "Fatal" not in said


def test_a_process_ends_with_the_page_that_started_it() -> None:
    with Child([sys.executable, "-m", "ui.training.worker"]) as process:
        messages = process.messages()
        assert next(messages) == ({"kind": "ready"}, {})
        endless = spec(steps=2000, num_layers=4, model_dim=32, context_length=16)
        process.send({"kind": "train", **endless.as_dict(), "step": 0, "keep_every": 100})
        assert next(messages)[0]["kind"] == "progress"
        process._requests.close()  # as when the page is killed
        assert process._process.wait(PATIENCE) == 0


def test_a_waiting_process_is_used_and_ended() -> None:
    spare = Spare()
    spare.warm_up()
    first = waiting(spare)
    spare.warm_up()
    assert waiting(spare) is first
    assert spare.take() is first
    spare.warm_up()
    second = waiting(spare)
    assert second is not first
    first.discard()
    spare.end()
    assert not first.alive()
    assert not second.alive()


def waiting(spare: Spare) -> WorkerProcess:
    """The process that waits."""
    assert spare._waiting is not None
    return spare._waiting


def test_a_process_is_nicer_than_the_page() -> None:
    process = WorkerProcess()
    try:
        mine = os.getpriority(os.PRIO_PROCESS, 0)
        theirs = os.getpriority(os.PRIO_PROCESS, process.pid)
        assert theirs == min(19, limits.NICENESS) or theirs > mine
    finally:
        process.discard()


def test_the_corpus_reaches_the_process_unchanged() -> None:
    of = spec(corpus="我 喜欢 AI\r\n\n　猫喜欢学习\n")
    assert read_corpus(of.as_dict()["corpus"], LESSON_WORDS) == of.corpus
