"""Engines that misbehave, as the worker process loads them; which one is the file's neighbour.

A file `behaviour` beside the ONNX file says what goes wrong.
"""

from __future__ import annotations

import os
import time

from export.runtimes.declaration import Arrays, Feeds, LoadRequest, Run
from export.runtimes.onnx_runtime import named_run, session_for

WRONG_FROM = "blocks.0.ffn_activation"


def load(request: LoadRequest) -> Run:
    """ONNX Runtime, spoilt."""
    behaviour = (request.file.parent / "behaviour").read_text(encoding="utf-8")
    if behaviour == "refuses":
        raise NotImplementedError("no Erf here\n/home/somebody/build/erf.cc:12")
    run = named_run(session_for(request.file))

    def spoilt(feeds: Feeds) -> Arrays:
        results = run(feeds)
        if behaviour == "crashes":
            os._exit(11)
        if behaviour == "sleeps":
            time.sleep(60)
        if behaviour == "dawdles":
            time.sleep(0.3)
        if behaviour == "approximates":
            names = list(results)
            first = names.index(WRONG_FROM) if WRONG_FROM in names else 0
            results |= {name: results[name] * 1.0001 for name in names[first:]}
        if behaviour == "shortens":
            results = {name: values[:, :1] for name, values in results.items()}
        return results

    return spoilt


def version() -> str:
    """Of this engine."""
    return "0.1"
