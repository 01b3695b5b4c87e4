"""A Node script that is asked by lines of JSON: a question in, `{given}` or `{error}` out.

Its side is `json_lines.mjs`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, cast

Ask = Callable[[dict[str, Any]], Any]
"""A question -> its answer."""


class NodeScript:
    """`node script arguments`, ready to be called with questions; it ends with this process.

    Raises (when made and when called):
        RuntimeError: the answer is an error, or the script ended instead.
    """

    def __init__(self, script: Path, *arguments: object) -> None:
        self._node = subprocess.Popen(
            ["node", str(script), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._questions = cast(IO[bytes], self._node.stdin)
        self._answers = cast(IO[bytes], self._node.stdout)
        try:
            self._read()
        except RuntimeError:
            self.close()
            raise

    def __call__(self, question: dict[str, Any]) -> Any:
        try:
            self._questions.write(json.dumps(question).encode() + b"\n")
            self._questions.flush()
        except OSError:
            raise self._ended() from None
        return self._read()

    def close(self) -> None:
        """End it."""
        self._node.kill()
        self._node.communicate()

    def _read(self) -> Any:
        line = self._answers.readline()
        if not line:
            raise self._ended()
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["given"]

    def _ended(self) -> RuntimeError:
        return RuntimeError(f"node ended with {self._node.wait()}")
