"""`python -m export.runtimes.worker MODULE DESCRIPTOR`: one engine, in its own interpreter.

Requests come on standard input, answers go to the file descriptor given: engines print what
they like on standard output.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from export.runtimes.declaration import Arrays, Run, Task
from export.runtimes.rows import row_by_row
from export.runtimes.wire import read_message, write_message


def main(module_name: str, descriptor: int) -> None:
    """Answer requests until standard input is closed."""
    module = importlib.import_module(module_name)
    run: Run | None = None
    with os.fdopen(descriptor, "wb") as answers:
        while True:
            try:
                request, arrays = read_message(sys.stdin.buffer)
            except EOFError:
                return
            try:
                if request["do"] == "load":
                    head, run = _load(module, request)
                    result: Arrays = {}
                else:
                    assert run is not None, "nothing is loaded"
                    head, result = _run(run, arrays, int(request["repeat"]))
            except Exception as error:  # whatever an engine raises is an answer
                traceback.print_exc()
                head, result = {"error": _one_line(error)}, {}
            write_message(answers, head, result)


def _load(module: Any, request: dict[str, Any]) -> tuple[dict[str, Any], Run]:
    task = Task(
        file=Path(request["file"]),
        form=request["form"],
        inputs=tuple(request["inputs"]),
        names=tuple(request["names"]),
        sizes=request["sizes"],
        scratch=Path(request["scratch"]),
    )
    start = time.perf_counter()
    run: Run = module.load(task)
    seconds = time.perf_counter() - start
    if task.form.startswith("static"):
        run = row_by_row(run, task.sizes["context_length"], task.sizes["num_layers"])
    return {"seconds": seconds, "version": module.version()}, run


def _run(run: Run, feeds: Arrays, repeat: int) -> tuple[dict[str, Any], Arrays]:
    """The result, and the median time of `repeat` runs."""
    seconds: list[float] = []
    result: Arrays = {}
    for _ in range(repeat):
        start = time.perf_counter()
        result = run(feeds)
        # An engine that sits elsewhere tells by itself how long it took there.
        seconds.append(getattr(run, "seconds", time.perf_counter() - start))
    return {"seconds": sorted(seconds)[len(seconds) // 2]}, result


def _one_line(error: Exception) -> str:
    """The first line that says something; of a converter's output the last."""
    if isinstance(error, subprocess.CalledProcessError):
        printed = (error.stderr or b"") + (error.stdout or b"")
        lines = [line.strip() for line in printed.decode(errors="replace").splitlines()]
        said = [line for line in lines if line][-1:]
        return f"{Path(error.cmd[0]).name}: {''.join(said)}"[:300]
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
