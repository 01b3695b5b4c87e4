"""`python -m export parity [NAMES…]`: run the files in every engine and print the table."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from export.parity import made_from
from export.parity.continuing import measure_continuing
from export.parity.files import FormFiles
from export.parity.folders import has_folder, is_loader, measure_loader
from export.parity.measure import Settings, measure_logits, missing
from export.parity.record import CANNOT, MISSING, OK, WRONG, Record
from export.parity.results import RESULTS, read
from export.parity.subjects import Subject, subjects
from export.parity.table import merged, verdict_of, write
from export.runtimes.catalogue import RUNTIMES, chosen
from export.runtimes.declaration import EVERY_USE, Runtime
from export.runtimes.engine import SLOW
from export.runtimes.environments import default_root, make
from export.runtimes.folders import IDS, TEXTS
from export.shipped import FILES
from model.command_line import Parser
from model.console import Console, check_folder
from model.shipped import SHIPPED

WEIGHTS = (*SHIPPED, "random")
USES = ("logits", "decode", "generate")


def add_arguments(parser: Parser, console: Console) -> None:
    """The command's options."""

    def add(option: str, key: str, /, **how: Any) -> None:
        values = how.pop("values", {})
        parser.add_argument(option, help=console.text(f"export.help_{key}", **values), **how)

    add("names", "names", nargs="*", values={"names": ", ".join(RUNTIMES)})
    for flag in ("quick", "install", "list"):
        add(f"--{flag}", flag, action="store_true")
    add("--weights", "weights", nargs="*", choices=WEIGHTS)
    add("--files", "files", type=Path, default=FILES)
    add("--out", "tables", type=Path, values={"into": RESULTS.name})
    add("--env-root", "env_root", type=Path, default=default_root())
    add("--seconds", "seconds", type=parser.number, default=120)


def run(options: argparse.Namespace, console: Console) -> int:
    """Exit status: 0 unless an engine is wrong, rejects the file, or is missing although it was
    named or to be installed.

    Raises:
        InputError: an engine's name is unknown, or `--out` holds a file that is not the table.
        OSError: a folder can't be read or written.
    """
    engines = chosen(options.names, options.quick)
    if options.list:
        for engine in engines:
            console.write(f"{engine.name}: {' && '.join(engine.install_lines())}")
        return 0
    next(options.files.iterdir(), None)  # raises if there is no such folder
    if options.out is not None:
        check_folder(options.out)
        read(options.out)
    records: list[Record] = []
    with tempfile.TemporaryDirectory() as made:
        settings = Settings(FormFiles(options.files, Path(made)), options.env_root, options.seconds)
        for engine in engines:
            if options.install:
                _install(engine, options.env_root, console)
            own = measured(engine, settings, wanted_subjects(options.weights))
            for record in own:
                console.write(one_line(record, console))
            if options.out is not None:  # immediately: the next engine may take an hour
                write(options.out, in_order(merged(read(options.out), own)))
                made_from.keep(options.out, {engine.name: made_from.stamp(engine, settings.files)})
            records += own
    return exit_status(records, strict=bool(options.names) or options.install)


def measured(engine: Runtime, settings: Settings, weights: list[Subject]) -> list[Record]:
    """All measurements of one engine."""
    absent = missing(engine, settings)
    if absent is not None:
        return [absent]
    records: list[Record] = []
    slow: dict[str, Record] = {}  # by use: what is slow with one set of weights is with the next
    for subject in weights:
        if is_loader(engine):
            if has_folder(subject):
                records += measure_loader(engine, subject, settings)
            continue
        for use in USES if subject.shipped else USES[:1]:
            if use in slow:
                records.append(replace(slow[use], weights=subject.name))
                continue
            record = (
                measure_logits(engine, subject, settings)
                if use == "logits"
                else measure_continuing(engine, subject, settings, use)
            )
            records.append(record)
            if record.verdict == CANNOT and record.reason.startswith(SLOW):
                slow[use] = replace(record, reason=f"{record.reason} with {subject.name} weights")
    # The record of a use that the engine rejects has no version.
    version = next((record.version for record in records if record.version), "")
    return [replace(record, version=version) for record in records]


def wanted_subjects(names: list[str] | None) -> list[Subject]:
    """The subjects named `names`, or all."""
    return [subject for subject in subjects() if names is None or subject.name in names]


def in_order(records: list[Record]) -> list[Record]:
    """Sorted by the catalogue's engines, then by weights and use."""
    engines, weights, uses = list(RUNTIMES), ["", *WEIGHTS], [*EVERY_USE, TEXTS, IDS]

    def place(record: Record) -> tuple[int, int, int]:
        return (
            engines.index(record.runtime),
            weights.index(record.weights),
            uses.index(record.use),
        )

    return sorted((record for record in records if record.runtime in RUNTIMES), key=place)


def exit_status(records: list[Record], strict: bool) -> int:
    """1 if an engine fails; a missing one fails only under `strict`."""
    by_engine: dict[str, list[Record]] = {}
    for record in records:
        by_engine.setdefault(record.runtime, []).append(record)
    failing = {WRONG, CANNOT, MISSING} if strict else {WRONG, CANNOT}
    return int(any(verdict_of(own) in failing for own in by_engine.values()))


def one_line(record: Record, console: Console) -> str:
    """A measurement as one line for the terminal."""
    parts = [f"{record.verdict:8}  {record.runtime:17}  {record.weights:9}{record.use:9}"]
    if record.verdict in (OK, WRONG) and record.prompts:
        done, total = f"{record.prompts:>7}", f"{record.prompts_of:>6}"
        parts.append(console.text("export.record_prompts", done=done, total=total))
    if record.max_abs_logits is not None:
        parts.append(f"logits {record.max_abs_logits:.1e}")
    if record.max_abs_trace is not None:
        values = f"{record.max_abs_trace:.1e} ({record.trace_values}/{record.trace_values_of})"
        parts.append(console.text("export.record_trace", values=values))
    if record.run_ms is not None:
        load, run = f"{record.load_ms:.0f}", f"{record.run_ms:.2f}"
        parts.append(console.text("export.record_times", load=load, run=run))
    parts.append(record.reason)
    return "  ".join(parts)


def _install(engine: Runtime, root: Path, console: Console) -> None:
    try:
        make(engine.environment, root)
    except subprocess.CalledProcessError as error:
        told = (error.output or str(error))[-500:]
        console.complain("export.not_installed", name=engine.name, told=told)
