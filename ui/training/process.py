"""A training process as the page sees it: started, told, listened to, ended."""

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

IDLE_SECONDS = 600.0  # a process that waits for an order longer is ended: it holds 0.3 GB

_LOG = logging.getLogger(__name__)

Listener = Callable[[Head | None, bytes], None]
"""Called with every message, in a thread of the process, and with None at its end."""


class WorkerProcess(Child):
    """One process for one order."""

    def __init__(self) -> None:
        super().__init__([sys.executable, "-m", "ui.training.worker"])
        atexit.register(self.kill)  # nothing goes on without its server
        if hasattr(os, "setpriority"):  # not on Windows
            try:
                os.setpriority(os.PRIO_PROCESS, self.pid, limits.NICENESS)
            except OSError:  # it has ended already, which its listener is told
                _LOG.debug("a process could not be given its priority")

    def run(self, head: Head, content: bytes, listener: Listener) -> None:
        """Give the process its order; `listener` hears what it answers.

        Raises:
            RuntimeError: the machine has no thread left to listen with.
        """
        threading.Thread(
            target=self._listen, args=(head, content, listener), name="training", daemon=True
        ).start()

    def stop(self) -> None:
        """Ask it to end its work where it is, and to say what it has."""
        self._tell({"kind": "stop"}, b"")

    def discard(self) -> None:
        """End a process that nobody needs any more, and what connects it with this one."""
        atexit.unregister(self.kill)
        self.kill()
        self.close()

    def _tell(self, head: Head, content: bytes) -> None:
        try:
            self.send(head, packed(content))
        except OSError:  # it has ended: the listener is told so
            _LOG.info("a training process was gone before it was told %r", head["kind"])

    def _listen(self, head: Head, content: bytes, listener: Listener) -> None:
        try:
            self._tell(head, content)
            for answer, arrays in self.messages():
                if answer["kind"] != "ready":
                    listener(answer, unpacked(arrays))
        except Exception:
            _LOG.exception("a process could not be listened to")
        finally:  # whatever happened, its listener waits for the end
            self.discard()
            listener(None, b"")


class Spare:
    """One process that has loaded torch already and waits for an order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: WorkerProcess | None = None
        self._timer: threading.Timer | None = None

    def warm_up(self) -> None:
        """Start a process unless one waits; returns at once. A failure is left to `take`."""
        with self._lock:
            try:
                if self._waiting is None or not self._waiting.alive():
                    self._waiting = WorkerProcess()
                self._restart_timer()
            except (OSError, RuntimeError) as error:
                _LOG.warning("no process could be got ready: %s", type(error).__name__)

    def take(self) -> WorkerProcess:
        """The waiting process, or a new one.

        Raises:
            OSError: the machine cannot start one now.
        """
        with self._lock:
            self._cancel_timer()
            waiting, self._waiting = self._waiting, None
        return waiting if waiting is not None and waiting.alive() else WorkerProcess()

    def end(self) -> None:
        """End the waiting process, if there is one."""
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
