"""The panel of engines and files: what it says, and what it hands out."""

from __future__ import annotations

import base64
import io
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from export.parity.record import CANNOT, MISSING, OK, WRONG, Record
from export.parity.results import RESULTS, as_json, read
from export.parity.table import verdict_of
from export.runtimes.catalogue import RUNTIMES
from export.shipped import FILES
from model.trace import trace_shapes
from ui.panels import runtimes as panel
from ui.panels.runtimes import proof_pack, runtimes, shipped_file

GOOD = Record(
    "tract", "tract", "0.23.9", "teaching", "logits", "plain", OK, prompts=30, prompts_of=30,
    max_abs_logits=4.8e-7, max_abs_trace=6e-7, trace_values=22, trace_values_of=22, run_ms=0.1,
)  # fmt: skip


KEYS = tuple(trace_shapes(2))


def test_engines_come_with_their_measurements_and_missing_ones_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    no_loop = Record("tract", "tract", "0.23.9", "teaching", "generate", "", CANNOT, "no Loop")
    absent = Record("tvm", "Apache TVM", "", "", "logits", "", MISSING, "pip install apache-tvm")
    (tmp_path / "parity.json").write_text(as_json([GOOD, no_loop, absent]), encoding="utf-8")
    monkeypatch.setattr(panel, "RESULTS", tmp_path)
    (engine,) = runtimes({})["engines"]
    assert (engine["name"], engine["version"]) == ("tract", "0.23.9")
    assert engine["runs"] == {
        "teaching.logits": asdict(GOOD),
        "teaching.generate": asdict(no_loop),
    }


def test_the_kept_results_are_of_the_engines_there_are_and_a_wrong_one_says_where() -> None:
    records = read(RESULTS)
    names = dict.fromkeys(record.runtime for record in records)
    assert set(names) <= set(RUNTIMES)
    agreeing = 0
    for name in names:
        own = [record for record in records if record.runtime == name]
        assert own[0].title == RUNTIMES[name].title
        assert verdict_of(own) != WRONG
        agreeing += verdict_of(own) == OK
    assert agreeing >= 15


def test_the_kept_results_compare_every_prompt_of_the_lesson() -> None:
    for record in read(RESULTS):
        if (record.weights, record.use, record.verdict) == ("teaching", "logits", OK):
            assert record.prompts == record.prompts_of == 30
            assert record.max_abs_logits is not None
            # llama.cpp's GELU is another function; its row says by how much its logits differ.
            bound = RUNTIMES[record.runtime].approximate or 5e-6
            assert record.max_abs_logits <= bound


def test_every_shipped_file_is_handed_out_as_it_is() -> None:
    listed = {entry["name"]: entry["bytes"] for entry in runtimes({})["files"]}
    assert set(listed) == {path.name for path in FILES.iterdir()}
    for name, size in listed.items():
        content = base64.b64decode(shipped_file({"name": name})["content"])
        assert content == (FILES / name).read_bytes()
        assert len(content) == size


@pytest.mark.parametrize("name", ["../shipped.py", "nothing.onnx", "", None, 3, ["a"]])
def test_no_other_file_is_handed_out(name: Any) -> None:
    answer = shipped_file({"name": name, "lang": "en"})
    assert answer["error"]["code"] == "choice"


def test_the_proof_pack_is_a_zip() -> None:
    answer = proof_pack({})
    archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(answer["content"])))
    assert answer["name"].endswith(".zip")
    assert "mini_gpt.xlsx" in archive.namelist()


def test_every_measured_engine_is_told() -> None:
    told = [engine["name"] for engine in runtimes({})["engines"]]
    there = {record.runtime for record in read(RESULTS) if record.verdict != MISSING}
    assert sorted(told) == sorted(there)
