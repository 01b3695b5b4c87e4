"""One line of the table: what an engine did with one set of weights at one use."""

from __future__ import annotations

from dataclasses import dataclass

OK, WRONG, CANNOT, MISSING = "OK", "WRONG", "CANNOT", "MISSING"


@dataclass(frozen=True)
class Record:
    """A measurement, or why there is none.

    use: "logits" (the trace is measured with it), "decode" or "generate".
    form: of the file, with the trace's form after a +. shapes: [batch × sequence] that were run.
    prompts: compared, out of `prompts_of`. For decode and generate they are continued by
        `new_tokens` words, each compared.
    max_abs_logits, max_abs_trace: largest |engine - PyTorch|; None where nothing is compared.
    trace_values: how many of the trace's values the engine gives, out of `trace_values_of`.
    load_ms: with everything the engine converts and compiles. run_ms: one prompt as long as
        the window (decode: one more token), median.
    verdict: OK; WRONG (reason: the first value that differs); CANNOT (reason: the engine's
        own words, or the project's); MISSING (reason: the line that installs it).
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
