"""`python -m export.runtimes.worker MODULE`: one engine, in its own interpreter."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path
from typing import Any

from export.runtimes.declaration import Arrays, LoadRequest, Run
from export.runtimes.rows import row_by_row
from export.workers.serving import Channel
from export.workers.wire import Head, Message


def main(module_name: str) -> None:
    """Answer requests until standard input is closed."""
    channel = Channel()
    module = importlib.import_module(module_name)
    run: Run | None = None

    def answer(request: Head, arrays: Arrays) -> Message:
        nonlocal run
        if request["do"] == "load":
            head, run = _load(module, request)
            return head, {}
        assert run is not None, "nothing is loaded"
        return _run(run, arrays, int(request["repeat"]), float(request["within"]))

    channel.serve(answer)


def _load(module: Any, head: Head) -> tuple[Head, Run]:
    request = LoadRequest(
        file=Path(head["file"]),
        form=head["form"],
        inputs=tuple(head["inputs"]),
        names=tuple(head["names"]),
        sizes=head["sizes"],
        scratch=Path(head["scratch"]),
    )
    start = time.perf_counter()
    run: Run = module.load(request)
    seconds = time.perf_counter() - start
    if request.form.startswith("static"):
        run = row_by_row(run, request.sizes["context_length"], request.sizes["num_layers"])
    return {"seconds": seconds, "version": module.version()}, run


def _run(run: Run, feeds: Arrays, repeat: int, within: float) -> Message:
    """The result, and the median time of `repeat` runs; none is begun after `within` seconds."""
    seconds: list[float] = []
    result: Arrays = {}
    until = time.perf_counter() + within
    while len(seconds) < repeat and (not seconds or time.perf_counter() < until):
        start = time.perf_counter()
        result = run(feeds)
        # An engine in another process reports its own time.
        seconds.append(getattr(run, "seconds", time.perf_counter() - start))
    return {"seconds": sorted(seconds)[len(seconds) // 2]}, result


if __name__ == "__main__":
    main(sys.argv[1])
