"""One engine, one set of weights: compare every prompt and name the first wrong value."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnx

from export.compare import Difference, compare, failures, largest
from export.graph import INPUT_NAME
from export.parity.files import FormFiles
from export.parity.record import CANNOT, MISSING, OK, WRONG, Record
from export.parity.subjects import Case, Subject, every_prompt, traced_prompts
from export.runtimes import Ids
from export.runtimes.declaration import LoadRequest, Run, Runtime
from export.runtimes.engine import Engine
from export.runtimes.environments import folder_of, is_ready
from export.runtimes.folders import FOLDER
from export.runtimes.pytorch import pytorch_runner
from export.workers.child import WorkerError
from model.gpt2.folder import ONNX_FILE
from model.trace import trace_shapes

TIMED_RUNS = 20
GRACE = 10.0  # seconds beyond the limit, within which the last answer may come
SHORTEST_LOADING = 60.0  # seconds; some engines compile, and a browser has to start


@dataclass(frozen=True)
class Settings:
    """Settings of every measurement.

    seconds: time limit for the prompts of one set of weights in one engine; prompts beyond it
        are left out, and the record counts those compared. It limits the other steps too.
    """

    files: FormFiles
    environments: Path
    seconds: float

    @property
    def step(self) -> float:
        """Seconds after which an engine that is not done with a step is slow."""
        return self.seconds + GRACE

    @property
    def loading(self) -> float:
        """The same for loading, which compiles in some engines."""
        return max(SHORTEST_LOADING, 5 * self.seconds)


def missing(runtime: Runtime, settings: Settings) -> Record | None:
    """The MISSING record of an engine that is not installed, with the commands that install it."""
    if is_ready(runtime, settings.environments):
        return None
    lines = " && ".join(runtime.install_lines())
    form = FOLDER if FOLDER in runtime.forms.values() else ""
    return Record(runtime.name, runtime.title, "", "", "logits", form, MISSING, lines)


def measure_logits(runtime: Runtime, subject: Subject, settings: Settings) -> Record:
    """The logits of every prompt, and the trace of some, against PyTorch."""
    record = _started(runtime, subject, "logits")
    try:
        record = _compare_logits(runtime, subject, settings, record)
    except WorkerError as error:
        return replace(record, verdict=CANNOT, reason=plain_words(str(error)))
    return _with_trace(runtime, subject, settings, record)


@contextmanager
def loaded(
    runtime: Runtime, subject: Subject, form: str, settings: Settings
) -> Iterator[tuple[Engine, float]]:
    """An engine with the file loaded, and the seconds that loading took.

    It is given the time of one step.

    Raises:
        WorkerError: it rejected the file, or is slow.
    """
    path = settings.files.path(subject, form)
    graph = onnx.load(path / ONNX_FILE if path.is_dir() else path).graph
    folder = folder_of(runtime.environment, settings.environments)
    sizes = {k: v for k, v in subject.model.config.as_dict().items() if k != "dropout"}
    with tempfile.TemporaryDirectory() as scratch, Engine(runtime, folder) as engine:
        request = LoadRequest(
            file=path.resolve(),
            form=form,
            inputs=tuple(value.name for value in graph.input),
            names=tuple(value.name for value in graph.output),
            sizes=sizes,
            scratch=Path(scratch),
        )
        engine.give(settings.loading)
        load_seconds = engine.load(request)
        engine.give(settings.step)
        yield engine, load_seconds


def plain_words(text: str) -> str:
    """An engine's message without the paths of its build machine."""
    without_paths = re.sub(r"(?<!\w)/?(?:[\w.+@-]+/){2,}([\w.+-]+)", r"\1", text)
    return without_paths[:160]


def _started(runtime: Runtime, subject: Subject, use: str) -> Record:
    return Record(
        runtime.name, runtime.title, "", subject.name, use, runtime.forms.get(use, ""), OK
    )


def _compare_logits(
    runtime: Runtime, subject: Subject, settings: Settings, record: Record
) -> Record:
    case = every_prompt(subject)
    differences: list[Difference] = []
    done: list[Ids] = []
    wrong: Ids | None = None
    with loaded(runtime, subject, runtime.forms["logits"], settings) as (engine, load_seconds):
        until = time.monotonic() + settings.seconds
        longest = 0.0  # seconds; a batch that would not be done in time is not begun
        for token_ids, expected in zip(case.prompts, case.expected, strict=True):
            begun = time.monotonic()
            if done and begun + longest > until:
                break
            actual = {"logits": engine.run({INPUT_NAME: token_ids})["logits"]}
            longest = max(longest, time.monotonic() - begun)
            differences += compare(expected, actual, case.bound)
            done.append(token_ids)
            if not differences[-1].ok:
                wrong = token_ids
                break
        engine.give(settings.step)
        recital = "" if wrong is not None else wrong_word(engine.run, subject)
        run_seconds = engine.time({INPUT_NAME: full_window(subject)}, TIMED_RUNS)
        version = engine.version
    record = replace(
        record,
        version=version,
        shapes=shapes_of(done),
        prompts=sum(map(len, done)),
        prompts_of=sum(map(len, case.prompts)),
        max_abs_logits=largest(differences).max_abs,
        load_ms=load_seconds * 1000,
        run_ms=run_seconds * 1000,
    )
    if recital:
        return replace(record, verdict=WRONG, reason=recital)
    if wrong is None:
        return record
    return replace(record, verdict=WRONG, reason=_where(runtime, subject, settings, wrong))


def wrong_word(run: Run, subject: Subject) -> str:
    """Where the engine, writing the subject's texts from their first word on, goes wrong.

    "" if it writes them all. Every word is the most probable one; as long as all are right, the
    windows are those of the texts themselves, so all windows of a length are one batch.
    """
    context = subject.model.config.context_length
    for length in range(1, context + 1):
        pairs = [
            (text[max(0, end - context) : end], text[end])
            for text in subject.texts
            for end in range(1, len(text))
            if min(end, context) == length
        ]
        if not pairs:
            continue
        windows = np.array([window for window, _ in pairs], dtype=np.int64)
        chosen = run({INPUT_NAME: windows})["logits"][:, -1].argmax(axis=-1)
        for (window, word), wrote in zip(pairs, chosen.tolist(), strict=True):
            if wrote != word:
                return f"after {list(window)} it writes {wrote}, not {word}"
    return ""


def _with_trace(runtime: Runtime, subject: Subject, settings: Settings, record: Record) -> Record:
    """The record with the trace's largest difference, if the engine outputs the trace."""
    names = tuple(trace_shapes(subject.model.config.num_layers))
    record = replace(record, trace_values_of=len(names))
    if "trace" not in runtime.forms:
        return record
    record = replace(record, form=f"{record.form} + {runtime.forms['trace']}")
    try:
        differences = _trace_differences(runtime, subject, settings, traced_prompts(subject))
    except WorkerError:
        return record
    if record.verdict == OK and (failed := failures(differences)):
        record = replace(record, verdict=WRONG, reason=failed[0].reason())
    given = {difference.name for difference in differences}
    return replace(record, trace_values=len(given), max_abs_trace=largest(differences).max_abs)


def _trace_differences(
    runtime: Runtime, subject: Subject, settings: Settings, case: Case
) -> list[Difference]:
    """The differences of the values that the engine outputs; the others are only counted."""
    names = tuple(trace_shapes(subject.model.config.num_layers))
    differences: list[Difference] = []
    with loaded(runtime, subject, runtime.forms["trace"], settings) as (engine, _):
        for token_ids, values in zip(case.prompts, case.expected, strict=True):
            actual = engine.run({INPUT_NAME: token_ids})
            given = {name: value for name, value in values.items() if name in actual}
            differences += compare(given, actual, case.bound)
    order = {name: place for place, name in enumerate(names)}
    return sorted(differences, key=lambda difference: order.get(difference.name, len(order)))


def _where(runtime: Runtime, subject: Subject, settings: Settings, prompts: Ids) -> str:
    """The first trace value that differs on prompts whose logits were wrong."""
    if "trace" not in runtime.forms:
        return "logits differ; the engine gives no trace"
    try:
        failed = failures(_trace_differences(runtime, subject, settings, _traced(subject, prompts)))
    except WorkerError as error:
        return f"logits differ; the trace: {plain_words(str(error))}"
    if not failed:
        return "logits differ, though every value of the trace form agrees"
    return failed[0].reason()


def _traced(subject: Subject, prompts: Ids) -> Case:
    """The trace of prompts whose logits were wrong, with the usual bound."""
    values = pytorch_runner(subject.model)(prompts)
    return Case((prompts,), (values,), traced_prompts(subject).bound)


def full_window(subject: Subject) -> Ids:
    """One prompt as long as the context, to time a run."""
    config = subject.model.config
    return (np.arange(config.context_length, dtype=np.int64) % config.vocab_size)[None]


def shapes_of(done: list[Ids]) -> str:
    """`5×1 25×2 …`, each shape once, in order."""
    return " ".join(dict.fromkeys(f"{len(ids)}×{ids.shape[1]}" for ids in done))
