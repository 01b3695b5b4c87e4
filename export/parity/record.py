"""One measurement: an engine's result for one set of weights and one use."""

from __future__ import annotations

from dataclasses import dataclass

OK, WRONG, CANNOT, MISSING = "OK", "WRONG", "CANNOT", "MISSING"


@dataclass(frozen=True)
class Record:
    """A measurement, or why there is none.

    use: "logits" (the trace is measured with it), "decode" or "generate"; of a loader of whole
        folders "logits" and "texts" or "ids" (see `export.runtimes.folders`).
    form: of the file, with the trace's form after a +. shapes: [batch × sequence] that were run.
    prompts: how many were compared, out of `prompts_of`. For decode and generate they are
        continued by `new_tokens` words, each compared.
    max_abs_logits, max_abs_trace: largest |engine - PyTorch|; None if nothing was compared.
    trace_values: how many of the trace's values the engine outputs, out of `trace_values_of`.
    load_ms: including conversion and compilation by the engine. run_ms: median for one prompt
        as long as the window (decode: one more token).
    verdict: OK; WRONG (reason: the first value that differs); CANNOT (reason: the engine's
        message or the project's); MISSING (reason: the command that installs it).
    """

    runtime: str
    title: str
    version: str
    weights: str
    use: str
    form: str
    verdict: str
    reason: str = ""
    shapes: str = ""
    prompts: int = 0
    prompts_of: int = 0
    new_tokens: int = 0
    max_abs_logits: float | None = None
    max_abs_trace: float | None = None
    trace_values: int = 0
    trace_values_of: int = 0
    load_ms: float | None = None
    run_ms: float | None = None
