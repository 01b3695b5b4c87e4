"""A bounded queue of work for worker processes, fair between sessions.

The order is start-time fair queueing (Goyal, Vin and Cheng 1996) with work of equal size: a
session's first waiting work gets the next turn, its second the one after, so a session with one
piece of work waits for at most one of each other session. Work that is no longer polled is
dropped. A failure ends only the work in which it happened.
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
"""After a process could not be started, no further one is tried for so long: memory or processes
may become free, and otherwise all waiting work would fail at once."""

_LOG = logging.getLogger(__name__)


class Work:
    """One order for a process. Every method is called with the queue's lock held.

    sessions: the sessions that want it; the earliest turn of any of them counts.
    seconds: how long its process may take; None for no limit.
    deadline: when its process is killed, by `time.monotonic`.
    """

    seconds: float | None = None

    def __init__(self, session: str) -> None:
        self.sessions = {session}
        self.turn = 0
        self.asked = time.monotonic()
        self.deadline: float | None = None
        self.process: WorkerProcess | None = None

    def order(self) -> tuple[Head, bytes]:
        """The order for the process; called when the work's turn has come."""
        raise NotImplementedError

    def hear(self, head: Head, content: bytes) -> None:
        """Handle a message of the process."""
        raise NotImplementedError

    def ended(self, error: InputError | None) -> None:
        """The process has ended, or could not be started because of `error`."""
        raise NotImplementedError

    def dropped(self) -> None:
        """It was dropped while waiting, since it was no longer polled."""
        raise NotImplementedError

    def unasked(self) -> None:
        """It is running and no longer polled; by default it runs to its end."""


class WorkQueue:
    """Waiting and running work; thread-safe.

    lock: held during every call of a Work's method; the queue's owner takes it for state that it
    shares with its work.
    """

    def __init__(
        self, spare: Spare, caps: Caps, care: Callable[[float], bool] | None = None
    ) -> None:
        """`care` is called every second with the time; returns whether to call it again."""
        self.lock = threading.RLock()
        self._spare = spare
        self._caps = caps
        self._care = care
        self._waiting: list[Work] = []
        self._running: list[Work] = []
        self._turn = 0  # of the work started last
        self._pause_until = 0.0
        self._ticking = False

    def put(self, work: Work) -> None:
        """Queue `work`; it starts at once if a process is free.

        Raises:
            InputError: too much is waiting, in total or for one session.
        """
        with self.lock:
            self._drop_unasked(time.monotonic())
            self._check_room(work)
            self._start_ticking()
            work.turn = self._next_turn(work.sessions)
            self._waiting.append(work)
            self._begin_waiting()

    def ask(self, work: Work, session: str | None = None) -> None:
        """Record that `work` was polled; a new `session` becomes one of its sessions."""
        with self.lock:
            work.asked = time.monotonic()
            if session is not None and session not in work.sessions:
                if work in self._waiting:
                    work.turn = min(work.turn, self._next_turn({session}))
                work.sessions.add(session)

    def remove(self, work: Work) -> bool:
        """Remove `work` if it is waiting; returns whether it was."""
        with self.lock:
            waits = work in self._waiting
            if waits:
                self._waiting.remove(work)
            return waits

    def place(self, work: Work) -> int:
        """The place in the queue: 1 for the next, 0 if it is not waiting."""
        with self.lock:
            ordered = sorted(self._waiting, key=lambda each: each.turn)
            return ordered.index(work) + 1 if work in ordered else 0

    def running(self) -> int:
        """How many processes are running."""
        with self.lock:
            return len(self._running)

    def end(self) -> None:
        """Kill every process; for the end of the server."""
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
            work = min(self._waiting, key=lambda each: each.turn)  # if equal, the first put
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
        """Handle a message of the work's process, or its end (None)."""
        with self.lock:
            if work not in self._running:
                return  # it was ended already
            if head is not None and self._heard(work, head, content):
                return
            self._over(work, None)
            self._begin_waiting()

    def _heard(self, work: Work, head: Head, content: bytes) -> bool:
        """Whether `work` could handle the message; if not, its process is killed."""
        try:
            work.hear(head, content)
        except Exception:
            _LOG.exception("a message of a process could not be handled")
            if work.process is not None:
                work.process.kill()
            return False
        return True

    def _over(self, work: Work, error: InputError | None) -> None:
        """Free the slot of `work`, even if its `ended` raises."""
        self._running.remove(work)
        try:
            work.ended(error)
        except Exception:
            _LOG.exception("the end of work could not be handled")

    def _start_ticking(self) -> None:
        if self._ticking:
            return
        try:
            threading.Thread(target=self._tick, name="queue", daemon=True).start()
        except RuntimeError as error:  # no thread can be started
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
        """One tick of the queue; returns whether further ticks are needed."""
        try:
            self._drop_unasked(now)
            self._end_late(now)
            self._begin_waiting()
            cares = self._care is not None and self._care(now)
        except Exception:
            _LOG.exception("a tick of the queue failed")
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
