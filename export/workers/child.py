"""The parent's side of a worker: start it, exchange messages, end it."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, ClassVar, Self, cast

from numpy.typing import NDArray

from export.workers import wire
from export.workers.wire import Head, Message, MessageError

REPOSITORY = Path(__file__).parents[2]


class WorkerError(RuntimeError):
    """A worker's request failed; the text says why, with the worker's message if there is one."""


class LateError(WorkerError):
    """The worker did not answer in time, and was killed."""


class Child:
    """A worker process, as a context manager. It ends by itself when its input is closed.

    log: the file for its standard error; by default this process's.
    patience: the time limit of one answer in seconds; a worker that takes longer is killed, so
        a late answer is never taken for another request's.
    end_text: the error text for a worker that ends instead of answering, with its exit code.

    Raises:
        OSError: it could not be started.
    """

    end_text: ClassVar[str] = "the process ended with {}"

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path = REPOSITORY,
        variables: Mapping[str, str] | None = None,
        log: IO[bytes] | None = None,
        patience: float = threading.TIMEOUT_MAX,
    ) -> None:
        self.patience = patience
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(variables or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        self.pid = self._process.pid
        self._requests = cast(IO[bytes], self._process.stdin)
        self._answers = cast(IO[bytes], self._process.stdout)
        self._sending = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, head: Head, arrays: Mapping[str, NDArray[Any]] | None = None) -> None:
        """Send a message; thread-safe.

        Raises:
            OSError: the worker has ended.
        """
        with self._sending:
            if self._requests.closed:
                raise BrokenPipeError
            wire.write_message(self._requests, head, arrays or {})

    def messages(self) -> Iterator[Message]:
        """The worker's messages, until it ends.

        Raises:
            MessageError: its output is not a message.
        """
        return wire.messages(self._answers)

    def request(self, head: Head, arrays: Mapping[str, NDArray[Any]] | None = None) -> Message:
        """Send a message and wait for the answer.

        Raises:
            LateError: the answer is late.
            WorkerError: the answer is an "error" or not a message, or the worker ended.
        """
        start = time.monotonic()
        timer = threading.Timer(self.patience, self.kill)
        timer.daemon = True
        timer.start()
        try:
            self.send(head, arrays)
            answer, result = wire.read_message(self._answers)
        except MessageError as error:
            self.kill()
            self.close()  # the start of the next message is unknown
            raise WorkerError(str(error)) from error
        except (EOFError, OSError) as error:
            code = self._process.wait()
            if time.monotonic() - start >= self.patience:
                raise LateError(f"no answer within {self.patience:.0f} s") from error
            raise WorkerError(self.end_text.format(code)) from error
        finally:
            timer.cancel()
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer, result

    def alive(self) -> bool:
        """Whether the worker is still running."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the worker; readers of its messages then see the end of the stream."""
        self._process.kill()

    def close(self, patience: float = 20.0) -> None:
        """Close its input, and kill it unless it ends within `patience` seconds."""
        with self._sending, suppress(OSError):  # closing flushes, and it may have ended
            self._requests.close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        self._answers.close()
