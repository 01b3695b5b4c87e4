"""Loaders of whole folders: the logits of every prompt, and texts word for word.

Logits are compared as logarithms of probabilities: folding may add a constant to all of them,
and some loaders give probabilities only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from export.compare import Difference, compare, failures, largest
from export.parity.measure import TIMED_RUNS, Settings, full_window, loaded, plain_words, shapes_of
from export.parity.record import CANNOT, OK, WRONG, Record
from export.parity.subjects import Subject, every_prompt
from export.runtimes import Ids
from export.runtimes.declaration import Runtime
from export.runtimes.engine import Engine
from export.runtimes.folders import (
    FOLDER,
    IDS_FEED,
    TEXT_FEED,
    TEXTS,
    TOKEN_IDS,
    packed_texts,
    unpacked_texts,
)
from export.shipped import compared_prompts
from export.workers.child import WorkerError
from model.errors import InputError
from model.generation import generate
from model.gpt2.folding import folding
from model.parameters import weights_of
from model.vocabulary import LESSON_WORDS, Vocabulary

CONTINUED = 30
"""Texts of each length that are continued; all of them if there are fewer."""

_NAME = "log_probs"
_FIRST_PIECE, _LARGEST_PIECE = 16, 512

Array = NDArray[np.float64]


def is_loader(runtime: Runtime) -> bool:
    """Whether it loads whole folders."""
    return FOLDER in runtime.forms.values()


def has_folder(subject: Subject) -> bool:
    """Whether there is a folder for loaders: the bias of `lm_head` can be folded exactly."""
    return folding(weights_of(subject.model)).is_exact


def measure_loader(runtime: Runtime, subject: Subject, settings: Settings) -> list[Record]:
    """Logits and texts of one set of weights, with the folder loaded once."""
    use = next(use for use in runtime.forms if use != "logits")
    logits = Record(runtime.name, runtime.title, "", subject.name, "logits", FOLDER, OK)
    texts = replace(logits, use=use)
    try:
        with loaded(runtime, subject, FOLDER, settings) as (engine, load_seconds):
            logits, texts = (
                replace(record, version=engine.version, load_ms=load_seconds * 1000)
                for record in (logits, texts)
            )
            logits = _compare_logits(engine, runtime, subject, settings, logits)
            engine.give(settings.step)
            texts = _compare_texts(engine, subject, settings, texts)
    except WorkerError as error:
        reason = plain_words(str(error))
        return [replace(record, verdict=CANNOT, reason=reason) for record in (logits, texts)]
    return [logits, texts]


def _compare_logits(
    engine: Engine, runtime: Runtime, subject: Subject, settings: Settings, record: Record
) -> Record:
    case = every_prompt(subject)
    given = case.bound if isinstance(case.bound, float) else case.bound["logits"]
    # A logit and the logarithm of the sum of all may each be off by as much.
    bound = runtime.approximate or 2 * given
    differences: list[Difference] = []
    done: list[Ids] = []
    changed, margin = 0, np.inf
    for token_ids, expected in _pieces(subject, time.monotonic() + settings.seconds):
        actual = log_probs(engine.run({TOKEN_IDS: token_ids})["logits"])
        differences += compare({_NAME: expected}, {_NAME: actual}, bound)
        done.append(token_ids)
        changed += int((expected.argmax(-1) != actual.argmax(-1)).sum())
        first_two = np.sort(expected, axis=-1)[..., -2:]
        margin = min(margin, float((first_two[..., 1] - first_two[..., 0]).min()))
        if not differences[-1].ok:
            break
    worst = largest(differences).max_abs
    engine.give(settings.step)
    record = replace(
        record,
        shapes=shapes_of(done),
        prompts=sum(map(len, done)),
        prompts_of=sum(map(len, case.prompts)),
        max_abs_logits=worst,
        run_ms=engine.time({TOKEN_IDS: full_window(subject)}, TIMED_RUNS) * 1000,
    )
    if failed := failures(differences):
        return replace(record, verdict=WRONG, reason=failed[0].reason())
    if runtime.approximate is None:
        return record
    reason = (
        f"GELU by tanh from a table: largest difference {worst:.1e}, smallest margin between the "
        f"first and the second word {margin:.1e}, most probable word changed {changed} times"
    )
    return replace(record, reason=reason)


def _pieces(subject: Subject, until: float) -> Iterator[tuple[Ids, Array]]:
    """Prompts and the expected log_probs, until the time is over: larger pieces as they go."""
    size = _FIRST_PIECE
    case = every_prompt(subject)
    for token_ids, expected in zip(case.prompts, case.expected, strict=True):
        at = 0
        while at < len(token_ids):
            yield token_ids[at : at + size], log_probs(expected["logits"][at : at + size])
            at += size
            size = min(2 * size, _LARGEST_PIECE)
            if time.monotonic() > until:
                return


def _compare_texts(engine: Engine, subject: Subject, settings: Settings, record: Record) -> Record:
    """Every text up to the end of the context, against `model.generate`."""
    config, vocabulary = subject.model.config, subject.model.vocabulary or LESSON_WORDS
    until = time.monotonic() + settings.seconds
    beginnings = [
        ids
        for ids in compared_prompts(config.vocab_size, config.context_length, CONTINUED)
        if ids.shape[1] < config.context_length
    ]
    record = replace(record, prompts_of=sum(map(len, beginnings)), new_tokens=0)
    for prompts in beginnings:
        count = config.context_length - prompts.shape[1]
        expected = generate(subject.model, prompts, count).token_ids
        actual = (
            _continued_texts(engine, prompts, vocabulary)
            if record.use == TEXTS
            else engine.run({IDS_FEED: prompts})[IDS_FEED].tolist()
        )
        for words, met in zip(expected.tolist(), actual, strict=True):
            if words != met:
                reason = f"{words[: prompts.shape[1]]} continued as {met}, not {words}"
                return replace(record, verdict=WRONG, reason=reason)
        record = replace(
            record,
            prompts=record.prompts + len(prompts),
            new_tokens=max(record.new_tokens, count),
        )
        if time.monotonic() > until:
            break
    return record


def _continued_texts(engine: Engine, prompts: Ids, vocabulary: Vocabulary) -> list[list[int] | str]:
    """The ids of each prompt with its continuation; the text itself if it holds another word."""
    lines = [vocabulary.text(row) for row in prompts]
    given = unpacked_texts(engine.run({TEXT_FEED: packed_texts(lines)})[TEXT_FEED])
    found: list[list[int] | str] = []
    for row, text in zip(prompts.tolist(), given, strict=True):
        try:
            found.append([*row, *vocabulary.encode(text)])
        except InputError:
            found.append(text)
    return found


def log_probs(logits: NDArray[np.floating]) -> Array:
    """The logarithms of the probabilities, in float64."""
    exact = logits.astype(np.float64)
    exact -= exact.max(axis=-1, keepdims=True)
    values: Array = exact - np.log(np.exp(exact).sum(axis=-1, keepdims=True))
    return values
