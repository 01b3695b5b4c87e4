"""A training process as the page sees it: started, told, listened to, ended."""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from ui.training import limits
from ui.training.wire import Header, receive, send

ROOT = Path(__file__).parents[2]
IDLE_SECONDS = 600.0  # a process that waits for a task longer is ended: it holds 0.3 GB

_LOG = logging.getLogger(__name__)

Listener = Callable[[Header | None, bytes], None]
"""Called with every message, in a thread of the process, and with None at its end."""


class WorkerProcess:
    """One process for one task."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ui.training.worker"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        atexit.register(self.end)  # nothing goes on without its server
        self._sending = threading.Lock()
        if hasattr(os, "setpriority"):  # not on Windows
            try:
                os.setpriority(os.PRIO_PROCESS, self._process.pid, limits.NICENESS)
            except OSError:  # it has ended already, which its listener is told
                _LOG.debug("a process could not be given its priority")

    def run(self, header: Header, content: bytes, listener: Listener) -> None:
        """Give the process its task; `listener` hears what it answers.

        Raises:
            RuntimeError: the machine has no thread left to listen with.
        """
        threading.Thread(
            target=self._listen, args=(header, content, listener), name="training", daemon=True
        ).start()

    def stop(self) -> None:
        """Ask it to end its task where it is, and to say what it has."""
        self._send({"kind": "stop"}, b"")

    def end(self) -> None:
        """End it at once; a listener is told."""
        self._process.kill()

    def discard(self) -> None:
        """End a process that nobody needs any more, and what connects it with this one."""
        self.end()
        self._close()

    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def _send(self, header: Header, content: bytes) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            with self._sending:
                send(stdin, header, content)
        except OSError:  # it has ended: the listener is told so
            _LOG.info("a training process was gone before it was told %r", header["kind"])

    def _listen(self, header: Header, content: bytes, listener: Listener) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            self._send(header, content)
            while (message := receive(stdout)) is not None:
                if message[0]["kind"] != "ready":
                    listener(*message)
        except Exception:
            _LOG.exception("a process could not be listened to")
        finally:  # whatever happened, its listener waits for the end
            self.discard()
            listener(None, b"")

    def _close(self) -> None:
        atexit.unregister(self.end)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # what could not be flushed has nobody left to read it
                    _LOG.debug("closing a pipe to an ended process")
        self._process.wait()


class Spare:
    """One process that has loaded torch already and waits for a task."""

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
