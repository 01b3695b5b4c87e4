"""The worker's side: requests come on standard input, answers go to standard output.

Any other output, of libraries and their C code too, goes to standard error.
"""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from export.workers.wire import Arrays, Head, Message, messages, write_message


class Channel:
    """This process's standard input and output, reserved for messages from now on."""

    def __init__(self) -> None:
        self._requests = os.fdopen(os.dup(0), "rb")
        self._answers = os.fdopen(os.dup(1), "wb")
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)  # a library's subprocess must not read our requests
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def requests(self) -> Iterator[Message]:
        """Every message until the other side closes."""
        return messages(self._requests)

    def send(self, head: Head, arrays: Arrays | None = None) -> None:
        """Send a message to the parent process.

        Raises:
            OSError: it has ended.
        """
        write_message(self._answers, head, arrays or {})

    def serve(self, answer: Callable[[Head, Arrays], Message]) -> None:
        """Answer requests until the input ends; an exception becomes an "error" answer."""
        for request in self.requests():
            try:
                head, arrays = answer(*request)
            except Exception as error:
                traceback.print_exc()
                head, arrays = {"error": one_line(error)}, {}
            self.send(head, arrays)


def one_line(error: Exception) -> str:
    """The first non-empty line of an error; the last one of a failed program's output."""
    if isinstance(error, subprocess.CalledProcessError):
        printed = (error.stderr or b"") + (error.stdout or b"")
        lines = [line.strip() for line in printed.decode(errors="replace").splitlines()]
        said = [line for line in lines if line][-1:]
        return f"{Path(error.cmd[0]).name}: {''.join(said)}"[:300]
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300]
