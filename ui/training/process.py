"""A worker process, seen from the server: start it, send an order, read its messages, end it."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
from collections.abc import Callable

from export.workers.child import Child
from export.workers.wire import Head, packed, unpacked
from ui.training import limits

IDLE_SECONDS = 600.0  # a process that waits longer for an order is killed: it takes 0.3 GB

_LOG = logging.getLogger(__name__)

Listener = Callable[[Head | None, bytes], None]
"""Called with every message, in a thread that reads from the process; with None at its end."""


class WorkerProcess(Child):
    """One process for one order."""

    def __init__(self) -> None:
        super().__init__([sys.executable, "-m", "ui.training.worker"])
        atexit.register(self.kill)  # no process outlives its server
        if hasattr(os, "setpriority"):  # not on Windows
            try:
                os.setpriority(os.PRIO_PROCESS, self.pid, limits.NICENESS)
            except OSError:  # it has ended already; its listener is notified of that
                _LOG.debug("a process could not be given its priority")

    def run(self, head: Head, content: bytes, listener: Listener) -> None:
        """Send the process its order; its messages go to `listener`.

        Raises:
            RuntimeError: no thread can be started.
        """
        threading.Thread(
            target=self._listen, args=(head, content, listener), name="training", daemon=True
        ).start()

    def stop(self) -> None:
        """Ask it to stop at the current step and to send its result."""
        self._tell({"kind": "stop"}, b"")

    def discard(self) -> None:
        """Kill the process and close its pipes."""
        atexit.unregister(self.kill)
        self.kill()
        self.close()

    def _tell(self, head: Head, content: bytes) -> None:
        try:
            self.send(head, packed(content))
        except OSError:  # it has ended; the listener is notified of that
            _LOG.info("a training process ended before it was sent %r", head["kind"])

    def _listen(self, head: Head, content: bytes, listener: Listener) -> None:
        try:
            self._tell(head, content)
            for answer, arrays in self.messages():
                if answer["kind"] != "ready":
                    listener(answer, unpacked(arrays))
        except Exception:
            _LOG.exception("the messages of a process could not be read")
        finally:  # the listener must be notified of the end in any case
            self.discard()
            listener(None, b"")


class Spare:
    """One spare process that has loaded torch and waits for an order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: WorkerProcess | None = None
        self._timer: threading.Timer | None = None

    def warm_up(self) -> None:
        """Start a process unless one is waiting; returns at once. Only `take` raises."""
        with self._lock:
            try:
                if self._waiting is None or not self._waiting.alive():
                    self._waiting = WorkerProcess()
                self._restart_timer()
            except (OSError, RuntimeError) as error:
                _LOG.warning("no spare process could be started: %s", type(error).__name__)

    def take(self) -> WorkerProcess:
        """The waiting process, or a new one.

        Raises:
            OSError: no process can be started now.
        """
        with self._lock:
            self._cancel_timer()
            waiting, self._waiting = self._waiting, None
        return waiting if waiting is not None and waiting.alive() else WorkerProcess()

    def end(self) -> None:
        """Kill the waiting process, if there is one."""
        with self._lock:
            self._cancel_timer()
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.discard()

    def _restart_timer(self) -> None:
        self._cancel_timer()
        self._timer = threading.Timer(IDLE_SECONDS, self.end)
        self._timer.daemon = True
        self._timer.start()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
