"""The trainings of everybody: a line, a few that run, and what each has learned so far.

A job is known by an unguessable token alone, so nobody sees another's. A job that nobody asks
for is stopped, and later forgotten.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from model.corpus import entropy_floor, uniform_loss
from model.errors import InputError
from model.parameters import parameter_shapes
from ui.training import limits
from ui.training.history import History, Weights, keep_every
from ui.training.process import Spare, WorkerProcess
from ui.training.task import TrainingTask
from ui.training.wire import Header

WAITING, STARTING, RUNNING = "waiting", "starting", "running"
STOPPED, FINISHED, FAILED, LOST = "stopped", "finished", "failed", "lost"
ACTIVE = (WAITING, STARTING, RUNNING)

_LOG = logging.getLogger(__name__)
_TICK_SECONDS = 1.0
_PATIENCE_SECONDS = 60.0  # a process that does not stop when asked is ended

OnWeights = Callable[["Job", Weights], None]
"""Called when a training has ended, with its weights."""


@dataclass
class Job:
    """One person's training. `resume` is all a process needs to go on, with its step."""

    token: str
    task: TrainingTask
    status: str = WAITING
    history: History = field(default_factory=History)
    resume: tuple[int, bytes] | None = None
    error: InputError | None = None
    asked: float = field(default_factory=time.monotonic)
    process: WorkerProcess | None = None
    stop_wanted: float | None = None  # since when


class Jobs:
    """Every job, safe to use from any thread."""

    def __init__(self, on_weights: OnWeights, spare: Spare) -> None:
        self._on_weights = on_weights
        self._spare = spare
        self._lock = threading.RLock()
        self._jobs: dict[str, Job] = {}
        self._line: list[Job] = []
        self._ticking = False

    def submit(self, task: TrainingTask) -> str:
        """Put a new training in line; returns its token.

        Raises:
            InputError: the line is full.
        """
        with self._lock:
            job = Job(secrets.token_hex(16), task)
            self._enqueue(job)
            self._jobs[job.token] = job
            self._forget_oldest()
            self._start_waiting()
            self._start_ticking()
            return job.token

    def progress(self, token: Any, since: int) -> dict[str, Any]:
        """Where the job stands, with the points from step `since` on."""
        with self._lock:
            job = self._job(token)
            config = job.task.config
            return {
                "id": job.token,
                "status": job.status,
                "place": self._line.index(job) + 1 if job in self._line else 0,
                "step": job.history.step,
                "steps": job.task.settings.steps,
                "points": [point for point in job.history.points if point[0] >= since],
                "kept": job.history.kept_steps[:],
                "floor": entropy_floor(job.task.corpus, config.context_length),
                "uniform": uniform_loss(config.vocab_size),
                "watched": [list(prompt) for prompt in job.task.watched],
                "model": config.as_dict(),
                "error": job.error,
            }

    def stop(self, token: Any) -> None:
        """End the job where it is; what it has learned stays."""
        with self._lock:
            self._stop(self._job(token))

    def resume(self, token: Any, steps: Any = None) -> None:
        """Let a stopped or finished job go on, to `steps` updates in all.

        Raises:
            InputError: it is under way, or the line is full.
        """
        with self._lock:
            job = self._idle_job(token)
            task = job.task if steps is None else job.task.with_steps(steps)
            self._enqueue(job)
            job.task, job.status, job.error, job.stop_wanted = task, WAITING, None, None
            self._start_waiting()

    def rewind(self, token: Any) -> None:
        """Put a job back to its very first weights; going on from there gives the same again."""
        with self._lock:
            job = self._idle_job(token)
            job.history.cut(1)
            job.resume, job.error, job.status = None, None, STOPPED

    def weights_at(self, token: Any, step: int) -> tuple[TrainingTask, Weights]:
        """The job's task, and its weights after `step` updates."""
        with self._lock:
            job = self._job(token)
            return job.task, job.history.weights_at(step)

    def has(self, token: str) -> bool:
        """Whether the job is known (still)."""
        with self._lock:
            return token in self._jobs

    def end(self) -> None:
        """End every process, as the server ends."""
        with self._lock:
            for job in self._jobs.values():
                if job.process is not None:
                    job.process.end()
        self._spare.end()

    def running(self) -> int:
        """How many trainings have a process now."""
        with self._lock:
            return sum(job.process is not None for job in self._jobs.values())

    def _job(self, token: Any) -> Job:
        job = self._jobs.get(token) if isinstance(token, str) else None
        if job is None:
            raise InputError("training_unknown")
        job.asked = time.monotonic()
        return job

    def _idle_job(self, token: Any) -> Job:
        job = self._job(token)
        if job.status in ACTIVE:
            raise InputError("training_busy")
        return job

    def _enqueue(self, job: Job) -> None:
        if len(self._line) >= limits.MAX_WAITING:
            raise InputError("training_full", waiting=len(self._line))
        self._line.append(job)

    def _start_waiting(self) -> None:
        while self._line and self.running() < limits.AT_ONCE:
            self._start(self._line.pop(0))

    def _start(self, job: Job) -> None:
        job.status = STARTING
        step, content = job.resume or (0, b"")
        size = sum(int(np.prod(shape)) for shape in parameter_shapes(job.task.config).values())
        every = keep_every(job.task.settings.steps, size * np.dtype(np.float32).itemsize)
        header = {"kind": "train", **job.task.as_dict(), "step": step, "keep_every": every}
        process = job.process = self._spare.take()
        process.run(header, content, lambda heard, sent: self._hear(job, process, heard, sent))

    def _hear(
        self, job: Job, process: WorkerProcess, header: Header | None, content: bytes
    ) -> None:
        """A message of the job's process, or its end."""
        with self._lock:
            if header is None:
                self._ended(job, process)
            elif header["kind"] == "progress":
                if job.status == STARTING:
                    job.status = RUNNING
                job.history.add(header["points"], header["kept"], content)
            elif header["kind"] == "state":
                job.resume = (header["step"], content)
            elif header["kind"] == "end":
                self._learned(job, header["error"], content)

    def _learned(self, job: Job, error: Header, content: bytes) -> None:
        """The process says that it is done."""
        if error:
            job.status, job.error = FAILED, InputError(error["code"], **error["details"])
        else:
            done = job.history.step >= job.task.settings.steps
            job.status = FINISHED if done else STOPPED
        self._on_weights(job, np.frombuffer(content, np.float32))

    def _ended(self, job: Job, process: WorkerProcess) -> None:
        """The process is gone; if it had not said that it is done, that was not meant."""
        if job.process is not process:
            return
        job.process = None
        if job.status in (STARTING, RUNNING):
            self._keep_last(job)
            job.status = LOST
            job.error = InputError("training_lost", step=job.history.step)
            _LOG.warning("a training process ended unexpectedly at step %d", job.history.step)
        self._start_waiting()

    def _keep_last(self, job: Job) -> None:
        """Go back to the last step whose weights were kept."""
        if job.history.kept_steps:
            job.history.cut(job.history.kept_steps[-1] + 1)
            self._on_weights(job, job.history.kept_weights[-1])

    def _stop(self, job: Job) -> None:
        if job in self._line:
            self._line.remove(job)
            job.status = STOPPED
        elif job.process is not None and job.stop_wanted is None:
            job.stop_wanted = time.monotonic()
            job.process.stop()

    def _start_ticking(self) -> None:
        if not self._ticking:
            self._ticking = True
            threading.Thread(target=self._tick, name="training-jobs", daemon=True).start()

    def _tick(self) -> None:
        while True:
            time.sleep(_TICK_SECONDS)
            with self._lock:
                self._look_after(time.monotonic())
                if not self._jobs:
                    self._ticking = False
                    return

    def _look_after(self, now: float) -> None:
        """Stop what nobody looks at, forget what nobody has looked at for long."""
        for job in list(self._jobs.values()):
            unasked = now - job.asked
            if job.process and job.stop_wanted and now - job.stop_wanted > _PATIENCE_SECONDS:
                job.process.end()
            if job.status in ACTIVE and unasked > limits.UNASKED_SECONDS:
                self._stop(job)
            elif job.process is None and unasked > limits.FORGOTTEN_SECONDS:
                del self._jobs[job.token]

    def _forget_oldest(self) -> None:
        idle = sorted(
            (job for job in self._jobs.values() if job.status not in ACTIVE and not job.process),
            key=lambda job: job.asked,
        )
        while len(self._jobs) > limits.KEPT_JOBS and idle:
            del self._jobs[idle.pop(0).token]
