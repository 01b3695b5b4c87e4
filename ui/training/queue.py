"""Work that waits for a process of its own: a capped queue in which sessions take turns.

Turns are those of start-time fair queueing (Goyal, Vin and Cheng 1996) with work of one size:
a session's first waiting work has the next turn, its second the one after, so whoever asks for
one thing waits for at most one of everybody else's. Work that nobody asks for any more is
dropped. Whatever fails ends the work it happened in, and no other.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from export.workers.wire import Head
from model.errors import InputError
from ui.training.limits import Caps
from ui.training.process import Spare, WorkerProcess

TICK_SECONDS = 1.0
PAUSE_SECONDS = 1.0
"""After a process could not be started: what ran out is given time to come back, or all that
waits would fail within a moment."""

_LOG = logging.getLogger(__name__)


class Work:
    """One thing to be done by a process. Everything is called with the queue's lock held.

    sessions: whose it is; the best turn of any of them counts.
    seconds: how long its process may take; None for no limit.
    deadline: when its process is ended, on `time.monotonic`'s clock.
    """

    seconds: float | None = None

    def __init__(self, session: str) -> None:
        self.sessions = {session}
        self.turn = 0
        self.asked = time.monotonic()
        self.deadline: float | None = None
        self.process: WorkerProcess | None = None

    def order(self) -> tuple[Head, bytes]:
        """What the process is told; called when the turn has come."""
        raise NotImplementedError

    def hear(self, head: Head, content: bytes) -> None:
        """A message of the process."""
        raise NotImplementedError

    def ended(self, error: InputError | None) -> None:
        """It is over: its process has ended, or `error` says why there was none."""
        raise NotImplementedError

    def dropped(self) -> None:
        """Nobody asked for it any more, while it waited."""
        raise NotImplementedError

    def unasked(self) -> None:
        """Nobody asks for it any more, while it is worked on: by default it is finished."""


class WorkQueue:
    """Waiting and running work; safe to use from any thread.

    lock: held whenever work is called; its owner takes it for what it shares with its work.
    """

    def __init__(
        self, spare: Spare, caps: Caps, care: Callable[[float], bool] | None = None
    ) -> None:
        """`care` is called every second with the time, and says whether it needs to be again."""
        self.lock = threading.RLock()
        self._spare = spare
        self._caps = caps
        self._care = care
        self._waiting: list[Work] = []
        self._running: list[Work] = []
        self._turn = 0  # of the work begun last
        self._pause_until = 0.0
        self._ticking = False

    def put(self, work: Work) -> None:
        """Have it wait for its turn, which may come at once.

        Raises:
            InputError: too much waits, in all or of this visitor.
        """
        with self.lock:
            self._drop_unasked(time.monotonic())
            self._check_room(work)
            self._start_ticking()
            work.turn = self._next_turn(work.sessions)
            self._waiting.append(work)
            self._begin_waiting()

    def ask(self, work: Work, session: str | None = None) -> None:
        """Somebody still wants it; of a `session` that had not asked before it is work as well."""
        with self.lock:
            work.asked = time.monotonic()
            if session is not None and session not in work.sessions:
                if work in self._waiting:
                    work.turn = min(work.turn, self._next_turn({session}))
                work.sessions.add(session)

    def remove(self, work: Work) -> bool:
        """Take it out if it still waits; whether it did."""
        with self.lock:
            waits = work in self._waiting
            if waits:
                self._waiting.remove(work)
            return waits

    def place(self, work: Work) -> int:
        """1 for the next, 0 for what does not wait."""
        with self.lock:
            ordered = sorted(self._waiting, key=lambda each: each.turn)
            return ordered.index(work) + 1 if work in ordered else 0

    def running(self) -> int:
        """How many processes are at work."""
        with self.lock:
            return len(self._running)

    def end(self) -> None:
        """End every process, as the server ends."""
        with self.lock:
            self._waiting.clear()
            for work in self._running:
                if work.process is not None:
                    work.process.kill()

    def _check_room(self, work: Work) -> None:
        mine = sum(bool(work.sessions & each.sessions) for each in self._waiting + self._running)
        if mine >= self._caps.each:
            raise InputError("queue_yours", count=mine)
        if len(self._waiting) >= self._caps.waiting:
            raise InputError("queue_full", waiting=len(self._waiting))

    def _next_turn(self, sessions: set[str]) -> int:
        theirs = [each.turn for each in self._waiting if sessions & each.sessions]
        return max([self._turn, *theirs]) + 1

    def _begin_waiting(self) -> None:
        while self._waiting and len(self._running) < self._caps.at_once:
            if time.monotonic() < self._pause_until:
                return  # the next tick tries again
            work = min(self._waiting, key=lambda each: each.turn)  # of equal ones the first put
            self._waiting.remove(work)
            self._turn = work.turn
            self._begin(work)

    def _begin(self, work: Work) -> None:
        self._running.append(work)
        try:
            head, content = work.order()
        except InputError as error:
            self._over(work, error)
            return
        except Exception:
            _LOG.exception("work could not be prepared")
            self._over(work, None)
            return
        try:
            work.process = self._spare.take()
            work.process.run(head, content, lambda *heard: self._hear(work, *heard))
        except Exception as error:
            _LOG.warning("no process could be started: %s", type(error).__name__)
            self._pause_until = time.monotonic() + PAUSE_SECONDS
            if work.process is not None:
                work.process.discard()
            self._over(work, InputError("process_start"))
            return
        if work.seconds is not None:
            work.deadline = time.monotonic() + work.seconds

    def _hear(self, work: Work, head: Head | None, content: bytes) -> None:
        """A message of its process, or its end."""
        with self.lock:
            if work not in self._running:
                return  # given up already
            if head is not None and self._heard(work, head, content):
                return
            self._over(work, None)
            self._begin_waiting()

    def _heard(self, work: Work, head: Head, content: bytes) -> bool:
        """Whether `work` made sense of a message; if not, its process is ended."""
        try:
            work.hear(head, content)
        except Exception:
            _LOG.exception("a message of a process could not be used")
            if work.process is not None:
                work.process.kill()
            return False
        return True

    def _over(self, work: Work, error: InputError | None) -> None:
        """Give its place back, whatever its owner makes of it."""
        self._running.remove(work)
        try:
            work.ended(error)
        except Exception:
            _LOG.exception("the end of work could not be taken in")

    def _start_ticking(self) -> None:
        if self._ticking:
            return
        try:
            threading.Thread(target=self._tick, name="queue", daemon=True).start()
        except RuntimeError as error:  # the machine has no thread left
            raise InputError("process_start") from error
        self._ticking = True

    def _tick(self) -> None:
        while True:
            time.sleep(TICK_SECONDS)
            with self.lock:
                if not self._look_after(time.monotonic()):
                    self._ticking = False
                    return

    def _look_after(self, now: float) -> bool:
        """Whether there is anything left to look after."""
        try:
            self._drop_unasked(now)
            self._end_late(now)
            self._begin_waiting()
            cares = self._care is not None and self._care(now)
        except Exception:
            _LOG.exception("the queue could not be looked after")
            return True
        return cares or bool(self._waiting or self._running)

    def _drop_unasked(self, now: float) -> None:
        for work in [*self._waiting, *self._running]:
            if now - work.asked <= self._caps.unasked_seconds:
                continue
            if self.remove(work):
                work.dropped()
            else:
                work.unasked()

    def _end_late(self, now: float) -> None:
        for work in self._running:
            if work.process is not None and work.deadline is not None and now > work.deadline:
                work.process.kill()
