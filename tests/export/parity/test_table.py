"""The table: a line an engine, its verdict the worst of its logits, nothing lost on the way."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from export.parity.command import exit_status, in_order, one_line, wanted_subjects
from export.parity.record import CANNOT, MISSING, OK, WRONG, Record
from export.parity.results import read
from export.parity.table import as_csv, as_markdown, merged, verdict_of, write
from export.runtimes.catalogue import RUNTIMES, chosen
from model.console import Console
from model.errors import InputError

GOOD = Record(
    "stub", "Stub", "1.2", "teaching", "logits", "plain + trace", OK,
    shapes="5×1 25×2", prompts=30, prompts_of=30, max_abs_logits=7.2e-7, max_abs_trace=1.1e-6,
    trace_values=21, trace_values_of=22, load_ms=12.3, run_ms=0.021,
)  # fmt: skip
NO_LOOP = Record("stub", "Stub", "1.2", "teaching", "generate", "generate", CANNOT, "no Loop")
ABSENT = Record("other", "Other", "", "", "logits", "", MISSING, "pip install other==1")


def test_a_line_has_version_differences_times_and_verdict() -> None:
    lines = as_markdown([GOOD, NO_LOOP, ABSENT], "en").splitlines()
    assert lines[2] == (
        "| Stub | 1.2 | plain + trace | 7.2e-7 | 1.1e-6 (21/22) |  |  |  |  |  | CANNOT | 12 ms | "
        "0.021 ms | **OK** |"
    )
    assert lines[3].startswith("| Other |")
    assert lines[3].endswith("**MISSING** |")
    assert "- Other, logits: MISSING: pip install other==1" in lines
    assert "- Stub, teaching generate: CANNOT: no Loop" in lines


def test_both_languages_have_the_same_columns() -> None:
    for language in ("zh", "en"):
        lines = as_markdown([GOOD], language).splitlines()[:3]
        assert {line.replace("\\|", "").count("|") for line in lines} == {15}


@pytest.mark.parametrize(
    ("records", "verdict"),
    [
        ([GOOD], OK),
        ([GOOD, NO_LOOP], OK),
        ([GOOD, replace(GOOD, weights="random", verdict=WRONG)], WRONG),
        ([GOOD, replace(NO_LOOP, verdict=WRONG)], WRONG),
        ([replace(GOOD, verdict=CANNOT)], CANNOT),
        ([ABSENT], MISSING),
    ],
)
def test_the_verdict_of_an_engine(records: list[Record], verdict: str) -> None:
    assert verdict_of(records) == verdict


def test_the_exit_status_tells_failures_and_under_strict_missing_ones() -> None:
    assert exit_status([GOOD, NO_LOOP, ABSENT], strict=False) == 0
    assert exit_status([GOOD, ABSENT], strict=True) == 1
    assert exit_status([replace(GOOD, verdict=WRONG)], strict=False) == 1


def test_what_is_written_is_read_again_and_an_engine_replaces_itself(tmp_path: Path) -> None:
    write(tmp_path, [GOOD, ABSENT])
    assert read(tmp_path) == [GOOD, ABSENT]
    newer = replace(GOOD, max_abs_logits=1e-7)
    assert merged([GOOD, NO_LOOP, ABSENT], [newer]) == [NO_LOOP, ABSENT, newer]
    another = replace(GOOD, version="1.3")  # nothing of the old version stands beside it
    assert merged([GOOD, NO_LOOP, ABSENT], [another]) == [ABSENT, another]
    gone = replace(ABSENT, runtime="stub")
    assert merged([GOOD, NO_LOOP, ABSENT], [gone]) == [ABSENT, gone]
    assert merged([gone], [GOOD]) == [GOOD]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "parity.csv", "parity.en.md", "parity.json", "parity.zh.md",
    ]  # fmt: skip
    assert read(tmp_path / "nowhere") == []


def test_the_csv_has_every_field() -> None:
    (row,) = csv.DictReader(io.StringIO(as_csv([GOOD])))
    assert row["max_abs_logits"] == "7.2e-07"
    assert row["shapes"] == "5×1 25×2"
    assert None not in row


def test_measurements_stand_in_the_order_of_the_catalogue() -> None:
    first, second = list(RUNTIMES)[:2]
    records = [
        replace(GOOD, runtime=second),
        replace(GOOD, runtime=first, weights="random"),
        replace(GOOD, runtime=first, use="decode"),
        replace(GOOD, runtime=first),
    ]
    assert in_order(records) == [records[3], records[2], records[1], records[0]]


def test_a_line_for_the_terminal() -> None:
    assert "30 of     30 prompts" in one_line(GOOD, Console("en"))
    assert "30 /     30 个句子" in one_line(GOOD, Console("zh"))
    assert "pip install other==1" in one_line(ABSENT, Console("en"))


def test_engines_and_weights_are_chosen_by_name() -> None:
    assert [engine.name for engine in chosen(["tract", "openvino"], quick=False)] == [
        "tract",
        "openvino",
    ]
    assert {engine.name for engine in chosen([], quick=True)} < set(RUNTIMES)
    assert len(RUNTIMES) >= 18
    with pytest.raises(InputError, match="runtime must be one of"):
        chosen(["abacus"], quick=False)
    assert [subject.name for subject in wanted_subjects(["trained"])] == ["trained"]


def test_a_slow_engine_without_a_version_keeps_its_other_measurements() -> None:
    slow = replace(GOOD, version="", weights="random", verdict=CANNOT, reason="slow: not done")
    assert merged([GOOD], [slow]) == [GOOD, slow]
