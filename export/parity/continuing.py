"""Engines that write on: the cached form and the form with the loop inside, word for word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from export.decode_form import cache_names, past_name
from export.generate_form import COUNT_NAME, GENERATED_NAME
from export.graph import INPUT_NAME
from export.parity.measure import TIMED_RUNS, Bench, loaded, plain_words
from export.parity.record import CANNOT, OK, WRONG, Record
from export.parity.subjects import NEW_TOKENS, Subject, beginnings
from export.portable_decoder import PortableDecoder
from export.runtimes import Arrays, Ids
from export.runtimes.declaration import Runtime
from export.runtimes.engine import Engine, EngineError
from model.generation import Generation, generate


def measure_continuing(runtime: Runtime, subject: Subject, bench: Bench, use: str) -> Record:
    """The form for `use` against `model.generate`.

    use: "decode", driven word by word, or "generate", called once a prompt.
    """
    form = runtime.forms.get(use, "")
    record = Record(runtime.name, runtime.title, "", subject.name, use, form, OK)
    if use not in runtime.forms:
        return replace(record, verdict=CANNOT, reason=runtime.cannot.get(use, "not tried"))
    try:
        return _compare(runtime, subject, bench, record)
    except EngineError as error:
        reason = runtime.cannot.get(use) or plain_words(str(error))
        return replace(record, verdict=CANNOT, reason=reason)


def _compare(runtime: Runtime, subject: Subject, bench: Bench, record: Record) -> Record:
    decoding = record.use == "decode"
    prompts = list(beginnings(subject))
    distances: list[float] = []
    with loaded(runtime, subject, record.form, bench) as (engine, load_seconds):
        for token_ids in prompts:
            expected = generate(subject.model, token_ids, NEW_TOKENS)
            if decoding:
                actual, distance = _decoded(engine, subject, token_ids, expected)
                distances.append(distance)
            else:
                actual = _generated(engine, token_ids)
            reason = first_other_word(expected.token_ids, actual, token_ids.shape[1])
            if reason:
                record = replace(record, verdict=WRONG, reason=reason)
                break
        run_seconds = engine.time(_one_more(subject, decoding), TIMED_RUNS)
        version = engine.version
    return replace(
        record,
        version=version,
        shapes=" ".join(f"{len(ids)}×{ids.shape[1]}" for ids in prompts),
        prompts=sum(map(len, prompts)),
        prompts_of=sum(map(len, prompts)),
        new_tokens=NEW_TOKENS,
        max_abs_logits=max(distances) if distances else None,
        load_ms=load_seconds * 1000,
        run_ms=run_seconds * 1000,
    )


def _decoded(
    engine: Engine, subject: Subject, token_ids: Ids, expected: Generation
) -> tuple[Ids, float]:
    """The words, and the largest |Δ| of the logits they were chosen by."""
    decoder = PortableDecoder(engine.run, subject.model.config)
    actual = generate(subject.model, token_ids, NEW_TOKENS, next_logits=decoder)
    pairs = zip(expected.steps, actual.steps, strict=True)
    distance = max(float(np.abs(a.last_logits - b.last_logits).max()) for a, b in pairs)
    return actual.token_ids, distance


def _generated(engine: Engine, token_ids: Ids) -> Ids:
    feeds = {INPUT_NAME: token_ids, COUNT_NAME: np.array(NEW_TOKENS, dtype=np.int64)}
    return engine.run(feeds)[GENERATED_NAME]


def first_other_word(expected: Ids, actual: Ids, start: int) -> str:
    """Where the words part, or nothing."""
    if expected.shape != actual.shape:
        return f"shape {actual.shape}, expected {expected.shape}"
    rows, places = np.nonzero(expected != actual)
    if not len(rows):
        return ""
    at = int(places.argmin())
    row, place = int(rows[at]), int(places[at])
    return (
        f"new word {place - start + 1} of prompt {expected[row, :start].tolist()} is "
        f"{int(actual[row, place])}, expected {int(expected[row, place])}"
    )


def _one_more(subject: Subject, decoding: bool) -> Arrays:
    """One token after a cache that leaves room for one; or one word after a full window."""
    config = subject.model.config
    if not decoding:
        window = np.zeros((1, config.context_length), dtype=np.int64)
        return {INPUT_NAME: window, COUNT_NAME: np.array(1, dtype=np.int64)}
    shape = (1, config.num_heads, config.context_length - 1, config.head_size)
    past = {past_name(name): np.zeros(shape, np.float32) for name in cache_names(config.num_layers)}
    return {INPUT_NAME: np.zeros((1, 1), dtype=np.int64), **past}
