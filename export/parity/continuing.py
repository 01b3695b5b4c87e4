"""Generation in each engine, word for word: the cached form and the form with the loop inside."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache

import numpy as np

from export.compare import Difference, failures
from export.forms.continuing_proof import (
    LAST_LOGITS,
    NEW_TOKENS,
    beginnings,
    decode_differences,
    generate_differences,
    logits_bound,
)
from export.forms.decode import cache_names, past_name
from export.forms.generate import COUNT_NAME
from export.graph import INPUT_NAME
from export.parity.measure import TIMED_RUNS, Settings, loaded, plain_words
from export.parity.record import CANNOT, OK, WRONG, Record
from export.parity.subjects import Subject
from export.runtimes import Arrays
from export.runtimes.declaration import Runtime
from export.runtimes.engine import SlowError
from export.workers.child import WorkerError


def measure_continuing(runtime: Runtime, subject: Subject, settings: Settings, use: str) -> Record:
    """The form for `use` against `model.generate`.

    use: "decode", called once per word, or "generate", called once per prompt.
    """
    form = runtime.forms.get(use, "")
    record = Record(runtime.name, runtime.title, "", subject.name, use, form, OK)
    if use not in runtime.forms:
        return replace(record, verdict=CANNOT, reason=runtime.cannot.get(use, "not tried"))
    try:
        return _compare(runtime, subject, settings, record)
    except SlowError as error:
        return replace(record, verdict=CANNOT, reason=str(error))
    except WorkerError as error:
        reason = runtime.cannot.get(use) or plain_words(str(error))
        return replace(record, verdict=CANNOT, reason=reason)


def _compare(runtime: Runtime, subject: Subject, settings: Settings, record: Record) -> Record:
    prompts = list(beginnings(subject.model.config))
    bound = _bound(subject)
    differences: list[Difference] = []
    with loaded(runtime, subject, record.form, settings) as (engine, load_seconds):
        until = time.monotonic() + settings.seconds
        for token_ids in prompts:
            if time.monotonic() > until:
                raise SlowError(settings.seconds)
            if record.use == "decode":
                differences += decode_differences(engine.run, subject.model, token_ids, bound)
            else:
                differences += generate_differences(engine.run, subject.model, token_ids)
        engine.give(settings.step)
        run_seconds = engine.time(_one_more(subject, record.use), TIMED_RUNS)
        version = engine.version
    record = replace(
        record,
        version=version,
        shapes=" ".join(f"{len(ids)}×{ids.shape[1]}" for ids in prompts),
        prompts=sum(map(len, prompts)),
        prompts_of=sum(map(len, prompts)),
        new_tokens=NEW_TOKENS,
        max_abs_logits=max((d.max_abs for d in differences if d.name == LAST_LOGITS), default=None),
        load_ms=load_seconds * 1000,
        run_ms=run_seconds * 1000,
    )
    failed = failures(differences)
    return replace(record, verdict=WRONG, reason=failed[0].reason()) if failed else record


@cache
def _bound(subject: Subject) -> float:
    """The bound for the logits, computed once for all engines."""
    return logits_bound(subject.model, list(beginnings(subject.model.config)), subject.bound)


def _one_more(subject: Subject, use: str) -> Arrays:
    """Inputs to time: one token after a cache with room for it, or one word after a full window."""
    config = subject.model.config
    if use == "generate":
        window = np.zeros((1, config.context_length), dtype=np.int64)
        return {INPUT_NAME: window, COUNT_NAME: np.array(1, dtype=np.int64)}
    shape = (1, config.num_heads, config.context_length - 1, config.head_size)
    past = {past_name(name): np.zeros(shape, np.float32) for name in cache_names(config.num_layers)}
    return {INPUT_NAME: np.zeros((1, 1), dtype=np.int64), **past}
