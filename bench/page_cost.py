"""The page's overhead over a bare run of its network: sampling, checks, lists for the browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

RUNS, ROUNDS = 200, 9
TOKENS = 16  # appended by one call of `generate`
SAMPLED = "sampled token"


def page_cost() -> dict[str, float]:
    """Seconds of each action (per token for generation): medians over interleaved rounds."""
    actions = _actions()
    taken: dict[str, list[float]] = {name: [] for name in actions}
    for turn in range(ROUNDS + 1):
        for name, action in actions.items():
            started = time.perf_counter()
            for _ in range(RUNS):
                action()
            steps = RUNS * (TOKENS if name == SAMPLED else 1)
            if turn:  # the first round warms up
                taken[name].append((time.perf_counter() - started) / steps)
    return {name: float(f"{median(values):.4g}") for name, values in taken.items()}


def _actions() -> dict[str, Callable[[], Any]]:
    from export.runtimes.onnx_runtime import onnxruntime_runner, session_for
    from export.shipped import FILES, logits_file, trace_file
    from model.generation import generate
    from model.teaching import TEACHING_CONFIG
    from ui.views import view

    token_ids = np.array([[0, 1]])
    bare, bare_trace = (session_for(FILES / name("teaching")) for name in (logits_file, trace_file))
    runner = onnxruntime_runner(FILES / logits_file("teaching"))

    def sampled() -> Any:
        return generate(
            TEACHING_CONFIG,
            token_ids,
            TOKENS,
            temperature=1.0,
            next_logits=lambda window: runner(window)["logits"][:, -1],
        )

    return {
        "bare run, logits": lambda: bare.run(None, {"token_ids": token_ids}),
        SAMPLED: sampled,
        "bare run, trace": lambda: bare_trace.run(None, {"token_ids": token_ids}),
        "view": lambda: view({"tokens": [0, 1]}),
    }
