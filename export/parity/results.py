"""The stored measurements: written by `--out`, read by the page. No torch here."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from export.parity.record import Record
from model.errors import InputError

RESULTS = Path(__file__).parents[1] / "results"
NAME = "parity"


def read(folder: Path) -> list[Record]:
    """The records stored in `folder`, or none.

    Raises:
        InputError: the file is not a list of records.
    """
    path = folder / f"{NAME}.json"
    if not path.exists():
        return []
    try:
        return [Record(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))]
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError("other_results", file=str(path)) from error


def as_json(records: list[Record]) -> str:
    """A list of measurements with the field names of `Record`."""
    return json.dumps([asdict(record) for record in records], ensure_ascii=False, indent=1) + "\n"
