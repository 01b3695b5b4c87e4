"""A Node script that is asked by lines of JSON: a question in, `{given}` or `{error}` out.

Its side is `json_lines.mjs`. It ends with this process.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

Ask = Callable[[dict[str, Any]], Any]
"""A question -> its answer.

Raises:
    RuntimeError: the answer is an error, or the script ended instead.
"""


def node_script(script: Path, *arguments: object) -> Ask:
    """Start `node script arguments`, and wait until it is ready to be asked.

    Raises:
        RuntimeError: it could not open what it is to answer about.
    """
    node = subprocess.Popen(
        ["node", str(script), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert node.stdin is not None
    assert node.stdout is not None
    questions, answers = node.stdin, node.stdout

    def read() -> Any:
        line = answers.readline()
        if not line:
            raise RuntimeError(f"node ended with {node.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["given"]

    def ask(question: dict[str, Any]) -> Any:
        try:
            questions.write(json.dumps(question) + "\n")
            questions.flush()
        except BrokenPipeError:
            raise RuntimeError(f"node ended with {node.wait()}") from None
        return read()

    read()
    return ask
