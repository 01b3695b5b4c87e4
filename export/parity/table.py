"""The measurements as JSON, as CSV, and as a Markdown table with one row per engine."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path

from export.parity.engines import builds
from export.parity.record import CANNOT, MISSING, OK, WRONG, Record
from export.parity.results import NAME, as_json
from export.runtimes.folders import FOLDER, IDS, TEXTS
from languages import LANGUAGES, texts

_WORST_FIRST = (WRONG, MISSING, CANNOT, OK)


def merged(before: Iterable[Record], new: list[Record]) -> list[Record]:
    """`before` with the measurements of `new` replacing older ones.

    An engine's other measurements are dropped if they are of another version, and never stand
    beside a MISSING.
    """
    states = {record.runtime: (record.verdict == MISSING, record.version) for record in new}
    again = {_what(record) for record in new}

    def holds(record: Record) -> bool:
        is_missing, version = states.get(record.runtime, (record.verdict == MISSING, ""))
        is_same = version in ("", record.version)  # an engine that never answered states none
        return is_missing == (record.verdict == MISSING) and is_same and _what(record) not in again

    return [record for record in before if holds(record)] + new


def _what(record: Record) -> tuple[str, str, str]:
    return record.runtime, record.weights, record.use


def write(folder: Path, records: list[Record]) -> None:
    """parity.json, parity.csv, parity.zh.md and parity.en.md."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.json").write_text(as_json(records), encoding="utf-8")
    (folder / f"{NAME}.csv").write_text(as_csv(records), encoding="utf-8")
    for language in LANGUAGES:
        (folder / f"{NAME}.{language}.md").write_text(
            as_markdown(records, language), encoding="utf-8"
        )


def as_csv(records: list[Record]) -> str:
    """One row per measurement, with the field names of `Record` as headings."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, [field.name for field in fields(Record)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(record) for record in records)
    return stream.getvalue()


def as_markdown(records: list[Record], language: str) -> str:
    """One row per engine, and one per loader of whole folders; reasons are listed below."""
    tables = [engines_table(records, language), loaders_table(records, language)]
    names = dict.fromkeys(record.runtime for record in records)
    notes = [line for name in names for line in _notes(_of(records, name))]
    return "\n\n".join([*filter(None, tables), "\n".join(notes)]) + "\n"


def engines_table(records: list[Record], language: str) -> str:
    """The engines that run the files, and how many of the rows are builds of one engine."""
    own = [record for record in records if not is_loaders(record)]
    rows = _table(own, texts(language, "documents")["parity.heads"], _cells)
    return f"{rows}\n\n{counted(own, language)}" if own else ""


def loaders_table(records: list[Record], language: str) -> str:
    """The loaders of whole folders; empty if there are none."""
    own = [record for record in records if is_loaders(record)]
    heads = texts(language, "documents")["parity.loader_heads"]
    return _table(own, heads, partial(_loader_cells, language=language)) if own else ""


def is_loaders(record: Record) -> bool:
    """Whether it is a measurement of a loader of whole folders."""
    return record.form == FOLDER


def counted(records: list[Record], language: str) -> str:
    """How many rows there are, of how many engines."""
    names = list(dict.fromkeys(record.runtime for record in records))
    found = builds(names)
    said = texts(language, "documents")
    several = [f"{engine}: {count}" for engine, count in found.items() if count > 1]
    return str(said["parity.counted"]).format(
        rows=len(names), engines=len(found), several="; ".join(several) or "–"
    )


def _of(records: list[Record], name: str) -> list[Record]:
    return [record for record in records if record.runtime == name]


def _table(
    records: list[Record], heads: list[str], cells: Callable[[list[Record]], list[str]]
) -> str:
    names = dict.fromkeys(record.runtime for record in records)
    rows = [_line(cells(_of(records, name))) for name in names]
    return "\n".join([_line(heads), _line("---" for _ in heads), *rows])


def _loader_cells(records: list[Record], language: str) -> list[str]:
    first, said = records[0], texts(language, "documents")
    by = {(record.weights, record.use == "logits"): record for record in records}
    logits = [by.get((weights, True)) for weights in ("teaching", "trained", "random")]
    texts_of = [record for record in records if record.use != "logits"]
    use = next((record.use for record in texts_of), "")
    done = sum(record.prompts for record in texts_of)
    total = sum(record.prompts_of for record in texts_of)
    return [
        first.title,
        next((record.version for record in records if record.version), ""),
        said.get(f"parity.{use}", ""),
        *(_if(record, lambda r: _small(r.max_abs_logits)) for record in logits),
        f"{sum(record.prompts for record in logits if record is not None):,}",
        f"{done:,} / {total:,}",
        _if(logits[0], lambda r: _milliseconds(r.load_ms)),
        _if(logits[0], lambda r: _milliseconds(r.run_ms)),
        f"**{verdict_of(records)}**",
    ]


def verdict_of(records: list[Record]) -> str:
    """One engine's verdict: WRONG if any use is, else the worst of its logits; of a loader the
    worst of all."""
    counting = ("logits", TEXTS, IDS)
    verdicts = {record.verdict for record in records if record.use in counting}
    verdicts |= {record.verdict for record in records if record.verdict == WRONG}
    return next(verdict for verdict in _WORST_FIRST if verdict in verdicts)


def _cells(records: list[Record]) -> list[str]:
    first = records[0]
    by = {(record.weights, record.use): record for record in records}
    teaching, trained, random = (by.get((w, "logits")) for w in ("teaching", "trained", "random"))
    return [
        first.title,
        next((record.version for record in records if record.version), ""),
        first.form,
        _if(teaching, lambda r: _small(r.max_abs_logits)),
        _if(teaching, _trace),
        _if(trained, lambda r: _small(r.max_abs_logits)),
        _if(trained, _trace),
        _if(random, lambda r: _small(r.max_abs_logits)),
        _if(random, lambda r: f"{r.prompts:,}"),
        _mark(records, "decode"),
        _mark(records, "generate"),
        _if(teaching, lambda r: _milliseconds(r.load_ms)),
        _if(teaching, lambda r: _milliseconds(r.run_ms)),
        f"**{verdict_of(records)}**",
    ]


def _if(record: Record | None, text: Callable[[Record], str]) -> str:
    return text(record) if record is not None else ""


def _trace(record: Record) -> str:
    if record.max_abs_trace is None:
        return "–"
    some = record.trace_values < record.trace_values_of
    count = f" ({record.trace_values}/{record.trace_values_of})" if some else ""
    return _small(record.max_abs_trace) + count


def _mark(records: list[Record], use: str) -> str:
    verdicts = {record.verdict for record in records if record.use == use}
    return next((verdict for verdict in _WORST_FIRST if verdict in verdicts), "")


def _small(value: float | None) -> str:
    """7.2e-7, without the zero padding of the exponent."""
    if value is None:
        return "–"
    if not math.isfinite(value):
        return "∞"
    mantissa, _, exponent = f"{value:.1e}".partition("e")
    return "0" if value == 0 else f"{mantissa}e{int(exponent)}"


def _milliseconds(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.2g} ms"


def _notes(records: list[Record]) -> list[str]:
    """One line per reason, with the weights it applies to."""
    found: dict[tuple[str, ...], list[str]] = {}
    for record in records:
        if record.reason:
            about = (record.title, record.use, record.verdict, record.reason)
            found.setdefault(about, []).append(record.weights)
    return [
        f"- {title}, {' '.join(filter(None, [', '.join(weights), use]))}: {verdict}: {reason}"
        for (title, use, verdict, reason), weights in found.items()
    ]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
