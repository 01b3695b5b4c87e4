"""All users' training jobs: waiting, running and ended, with each one's history.

A job has two random tokens, so that users cannot guess each other's. Its `id` gives read access:
it is part of the address of the trained model, which can be shared. Its `key` allows changes, and
only the browser that started the job gets it. A job that is no longer polled is stopped, and
later forgotten.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from export.workers.wire import Head
from model.corpus import uniform_loss
from model.errors import InputError
from model.parameters import parameter_shapes
from ui.session import current_session
from ui.training import limits
from ui.training.history import History, Weights, keep_every
from ui.training.process import Spare
from ui.training.queue import Work, WorkQueue
from ui.training.spec import TrainingSpec

WAITING, STARTING, RUNNING = "waiting", "starting", "running"
STOPPED, FINISHED, FAILED, LOST = "stopped", "finished", "failed", "lost"
RECORDED = "recorded"  # only to be looked at
ACTIVE = (WAITING, STARTING, RUNNING)
RECORDED_ID = "0" * 32

_LOG = logging.getLogger(__name__)
_PATIENCE_SECONDS = 60.0  # a process that has not stopped by then is killed

OnWeights = Callable[["Job", Weights], None]
"""Called with a training's weights when it has ended."""


class Keys(NamedTuple):
    """id: for reading a training's progress. key: for changing it."""

    id: str
    key: str


@dataclass(eq=False)
class Job:
    """One training. `resume` is a step and the state that a process needs to resume there."""

    keys: Keys
    session: str
    spec: TrainingSpec
    status: str = WAITING
    history: History = field(default_factory=History)
    resume: tuple[int, bytes] | None = None
    error: InputError | None = None
    asked: float = field(default_factory=time.monotonic)
    run: _Run | None = None  # the last one, until its process has ended


class Jobs:
    """All jobs; thread-safe. `recorded` makes the job with RECORDED_ID, which nobody can change."""

    def __init__(
        self, on_weights: OnWeights, spare: Spare, recorded: Callable[[], Job] | None = None
    ) -> None:
        self._recorded = recorded
        self._on_weights = on_weights
        self._queue = WorkQueue(spare, limits.TRAININGS, self._forget_unasked)
        self._lock = self._queue.lock
        self._jobs: dict[str, Job] = {}

    def submit(self, spec: TrainingSpec) -> Keys:
        """Put a new training into the queue.

        Raises:
            InputError: too many are waiting, in total or for one session.
        """
        with self._lock:
            keys = Keys(secrets.token_hex(16), secrets.token_hex(16))
            job = Job(keys, current_session(), spec)
            self._enqueue(job)
            self._jobs[keys.id] = job
            self._forget_oldest()
            return keys

    def progress(self, job_id: Any, since: int) -> dict[str, Any]:
        """The job's state, with the points from step `since` on; from 0 with its words."""
        with self._lock:
            job = self._job(job_id)
            config = job.spec.config
            words = {"words": list(job.spec.corpus.vocabulary.shown)} if since <= 0 else {}
            return {
                **words,
                "id": job.keys.id,
                "status": job.status,
                "place": self._queue.place(job.run) if job.run else 0,
                "step": job.history.step,
                "steps": job.spec.settings.steps,
                "points": [point for point in job.history.points if point[0] >= since],
                "kept": job.history.kept_steps[:],
                "floor": job.spec.floor,
                "uniform": uniform_loss(config.vocab_size),
                "watched": [list(prompt) for prompt in job.spec.watched],
                "model": config.as_dict(),
                "error": job.error,
            }

    def stop(self, job_id: Any, key: Any) -> None:
        """Stop the job at its current step; its history is kept.

        Raises:
            InputError: `key` is not the job's; also in `resume` and `rewind`.
        """
        with self._lock:
            run = self._own_job(job_id, key).run
            if run is not None:
                self._stop(run)

    def resume(self, job_id: Any, key: Any, steps: Any = None) -> None:
        """Resume a stopped or finished job, up to `steps` updates in total.

        Raises:
            InputError: it is waiting or running, or too many are waiting.
        """
        with self._lock:
            job = self._idle_job(job_id, key)
            before = job.spec, job.status, job.error
            if steps is not None:
                job.spec = job.spec.with_steps(steps)
            job.status, job.error = WAITING, None
            try:
                self._enqueue(job)
            except InputError:
                job.spec, job.status, job.error = before
                raise

    def rewind(self, job_id: Any, key: Any) -> None:
        """Reset a job to its initial weights; resuming from there reproduces the training."""
        with self._lock:
            job = self._idle_job(job_id, key)
            job.history.cut(1)
            job.resume, job.error, job.status = None, None, STOPPED

    def weights_at(self, job_id: Any, step: int) -> tuple[TrainingSpec, Weights]:
        """The job's spec, and its weights after `step` updates."""
        with self._lock:
            job = self._job(job_id)
            return job.spec, job.history.weights_at(step)

    def has(self, job_id: str) -> bool:
        """Whether the job is (still) known."""
        with self._lock:
            return self._known(job_id) is not None

    def end(self) -> None:
        """Kill every process; for the end of the server."""
        self._queue.end()

    def running(self) -> int:
        """How many trainings are running."""
        return self._queue.running()

    def _known(self, job_id: str) -> Job | None:
        if job_id == RECORDED_ID and self._recorded is not None:
            return self._recorded()
        return self._jobs.get(job_id)

    def _job(self, job_id: Any) -> Job:
        job = self._known(job_id) if isinstance(job_id, str) else None
        if job is None:
            raise InputError("training_unknown")
        job.asked = time.monotonic()
        if job.run is not None:
            self._queue.ask(job.run)
        return job

    def _own_job(self, job_id: Any, key: Any) -> Job:
        job = self._job(job_id)
        given = key.encode() if isinstance(key, str) else b""
        if not secrets.compare_digest(given, job.keys.key.encode()):
            raise InputError("training_look_only")
        return job

    def _idle_job(self, job_id: Any, key: Any) -> Job:
        job = self._own_job(job_id, key)
        if job.status in ACTIVE:
            raise InputError("training_busy")
        return job

    def _enqueue(self, job: Job) -> None:
        before, job.run = job.run, _Run(job, self._on_weights)
        try:
            self._queue.put(job.run)
        except InputError:
            job.run = before
            raise

    def _stop(self, run: _Run) -> None:
        if self._queue.remove(run):
            run.dropped()
        else:
            run.unasked()

    def _forget_unasked(self, now: float) -> bool:
        """Forget jobs that were not polled for FORGOTTEN_SECONDS; whether any job is left."""
        for job in list(self._jobs.values()):
            if job.run is None and now - job.asked > limits.FORGOTTEN_SECONDS:
                del self._jobs[job.keys.id]
        return bool(self._jobs)

    def _forget_oldest(self) -> None:
        """Keep at most KEPT_JOBS: of the session with most, drop the one polled longest ago."""
        while len(self._jobs) > limits.KEPT_JOBS:
            idle = [job for job in self._jobs.values() if job.run is None]
            if not idle:
                return
            count = Counter(job.session for job in idle)
            oldest = min(idle, key=lambda job: (-count[job.session], job.asked))
            del self._jobs[oldest.keys.id]


class _Run(Work):
    """One process of `job`: from a start or a resume to its end."""

    def __init__(self, job: Job, on_weights: OnWeights) -> None:
        super().__init__(current_session())
        self._job = job
        self._on_weights = on_weights

    def order(self) -> tuple[Head, bytes]:
        job = self._job
        job.status = STARTING
        step, content = job.resume or (0, b"")
        size = sum(int(np.prod(shape)) for shape in parameter_shapes(job.spec.config).values())
        every = keep_every(job.spec.settings.steps, size * np.dtype(np.float32).itemsize)
        return {"kind": "train", **job.spec.as_dict(), "step": step, "keep_every": every}, content

    def hear(self, head: Head, content: bytes) -> None:
        job = self._job
        if head["kind"] == "progress":
            if job.status == STARTING:
                job.status = RUNNING
            job.history.add(head["points"], head["kept"], content)
        elif head["kind"] == "state":
            job.resume = (head["step"], content)
        elif head["kind"] == "end":
            self._learned(head["error"], content)

    def ended(self, error: InputError | None) -> None:
        """If the process ended without its "end" message, the job is lost."""
        job = self._job
        if job.run is not self:
            return
        job.run = None
        if job.status in ACTIVE:
            if job.history.kept_steps:  # back to the last step whose weights were kept
                job.history.cut(job.history.kept_steps[-1] + 1)
            job.status = LOST
            job.error = error or InputError("training_lost", step=job.history.step)
            _LOG.warning("a training ended unexpectedly at step %d", job.history.step)
            if job.history.kept_steps:
                self._on_weights(job, job.history.kept_weights[-1])

    def dropped(self) -> None:
        self._job.run, self._job.status = None, STOPPED

    def unasked(self) -> None:
        """Ask the process to stop; it sends its weights and ends."""
        if self.process is not None and self.deadline is None:
            self.deadline = time.monotonic() + _PATIENCE_SECONDS
            self.process.stop()

    def _learned(self, error: Head, content: bytes) -> None:
        """The process sent its "end" message; the status changes once its weights are stored."""
        job = self._job
        told = InputError(error["code"], **error["details"]) if error else None
        self._on_weights(job, np.frombuffer(content, np.float32))
        done = job.history.step >= job.spec.settings.steps
        job.status = FAILED if told else FINISHED if done else STOPPED
        job.error = told
