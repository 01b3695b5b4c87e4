"""The measurement itself: right engines pass, and every way of being wrong is found."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from export.parity.command import measured
from export.parity.continuing import measure_continuing
from export.parity.files import FormFiles
from export.parity.measure import Settings, loaded, measure_logits, missing, plain_words
from export.parity.record import CANNOT, MISSING, OK, WRONG
from export.parity.subjects import Subject, subjects
from export.runtimes.catalogue import RUNTIMES
from export.runtimes.declaration import Environment, Runtime
from export.shipped import FILES
from tests.export.parity import stub_engine

SECONDS = 60.0
FAR_LESS_THAN_ONE_SLEEP = 40.0  # of `stub_engine`; a worker takes seconds to start


def teaching() -> Subject:
    return subjects()[0]


def given(shipped: Path, made: Path) -> Settings:
    return Settings(FormFiles(shipped, made), environments=made, seconds=SECONDS)


def stub(folder: Path, behaviour: str) -> Runtime:
    """An engine that behaves so with the files of `folder`."""
    names = ("teaching", "teaching_trace", "teaching_decode", "teaching_generate", "trained")
    for name in names:
        file = f"mini_gpt_{name}.onnx"
        (folder / file).write_bytes((FILES / file).read_bytes())
    (folder / "behaviour").write_text(behaviour, encoding="utf-8")
    here = Environment("here", "here", ())
    return Runtime("stub", "Stub", here, stub_engine.__name__)


def test_a_right_engine_is_ok_on_every_prompt_and_the_whole_trace(tmp_path: Path) -> None:
    record = measure_logits(RUNTIMES["onnxruntime"], teaching(), given(FILES, tmp_path))
    assert record.verdict == OK, record.reason
    assert (record.prompts, record.prompts_of) == (30, 30)
    assert record.shapes == "5×1 25×2"
    assert record.max_abs_logits is not None
    assert record.max_abs_logits <= 5e-6
    assert record.max_abs_trace is not None
    assert (record.trace_values, record.trace_values_of) == (22, 22)
    assert record.run_ms is not None
    assert record.run_ms > 0
    assert record.version == onnx_runtime_version()


def onnx_runtime_version() -> str:
    from importlib.metadata import version

    return version("onnxruntime")


def test_silently_wrong_numbers_are_found_with_the_first_value_that_differs(
    tmp_path: Path,
) -> None:
    record = measure_logits(stub(tmp_path, "approximates"), teaching(), given(tmp_path, tmp_path))
    assert record.verdict == WRONG
    assert record.reason.startswith(f"{stub_engine.WRONG_FROM}: DIFFERS")
    assert record.max_abs_logits is not None
    assert record.max_abs_logits > 5e-6


def test_a_perturbed_file_is_found(tmp_path: Path) -> None:
    for name in ("mini_gpt_teaching.onnx", "mini_gpt_teaching_trace.onnx"):
        proto = onnx.load(FILES / name)
        (table,) = (t for t in proto.graph.initializer if t.name == "position_embedding.weight")
        weights = numpy_helper.to_array(table).copy()
        weights[1, 2] += 1e-4
        table.CopyFrom(numpy_helper.from_array(weights, table.name))
        onnx.save(proto, tmp_path / name)
    record = measure_logits(RUNTIMES["onnxruntime"], teaching(), given(tmp_path, tmp_path))
    assert record.verdict == WRONG
    assert record.reason.startswith("position_embeddings: DIFFERS, max |Δ| 1.00e-04")


def test_wrong_logits_under_a_right_trace_are_said_to_be_so(tmp_path: Path) -> None:
    proto = onnx.load(FILES / "mini_gpt_teaching.onnx")
    (bias,) = (t for t in proto.graph.initializer if t.name == "lm_head.bias")
    bias.CopyFrom(
        numpy_helper.from_array(numpy_helper.to_array(bias) + np.float32(1e-3), bias.name)
    )
    onnx.save(proto, tmp_path / "mini_gpt_teaching.onnx")
    trace = "mini_gpt_teaching_trace.onnx"
    (tmp_path / trace).write_bytes((FILES / trace).read_bytes())
    record = measure_logits(RUNTIMES["onnxruntime"], teaching(), given(tmp_path, tmp_path))
    assert record.verdict == WRONG
    assert "every value of the trace form agrees" in record.reason


def test_a_wrong_shape_is_found(tmp_path: Path) -> None:
    record = measure_logits(stub(tmp_path, "shortens"), teaching(), given(tmp_path, tmp_path))
    assert record.verdict == WRONG
    assert "shape" in record.reason


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [("refuses", "NotImplementedError: no Erf here"), ("crashes", "crashed (exit code 11)")],
)
def test_an_engine_that_fails_says_why(tmp_path: Path, behaviour: str, said: str) -> None:
    record = measure_logits(stub(tmp_path, behaviour), teaching(), given(tmp_path, tmp_path))
    assert record.verdict == CANNOT
    assert said in record.reason


def test_a_missing_engine_comes_with_the_lines_that_install_it(tmp_path: Path) -> None:
    for runtime in RUNTIMES.values():
        if runtime.environment.manager == "here":
            continue
        record = missing(runtime, given(FILES, tmp_path))
        assert record is not None
        assert record.verdict == MISSING
        assert runtime.environment.packages[0] in record.reason


def test_an_engines_message_is_shown_without_the_paths_of_who_built_it() -> None:
    said = plain_words("Fail: /home/somebody/build/1/s/onnx/erf.cc:12 no kernel for Erf(13)")
    assert said == "Fail: erf.cc:12 no kernel for Erf(13)"
    assert len(plain_words("x" * 1000)) <= 160


@pytest.mark.parametrize("use", ["decode", "generate"])
def test_the_forms_that_write_on_agree_word_for_word(tmp_path: Path, use: str) -> None:
    record = measure_continuing(RUNTIMES["onnxruntime"], teaching(), given(FILES, tmp_path), use)
    assert record.verdict == OK, record.reason
    assert record.prompts == 100
    assert record.new_tokens == 12
    assert (record.max_abs_logits is None) == (use == "generate")


def test_a_wrong_word_is_found(tmp_path: Path) -> None:
    record = measure_continuing(
        stub(tmp_path, "shortens"), teaching(), given(tmp_path, tmp_path), "generate"
    )
    assert record.verdict == WRONG
    assert record.reason.startswith("generated_ids: shape")


def test_a_use_an_engine_does_not_have_is_no_failure_of_it(tmp_path: Path) -> None:
    record = measure_continuing(RUNTIMES["ncnn"], teaching(), given(FILES, tmp_path), "decode")
    assert (record.verdict, record.reason) == (CANNOT, "no dynamic sizes")


def test_texts_stop_at_the_limit(tmp_path: Path) -> None:
    hurried = replace(given(FILES, tmp_path), seconds=0)
    record = measure_continuing(RUNTIMES["onnxruntime"], teaching(), hurried, "decode")
    assert (record.verdict, record.reason) == (CANNOT, "slow: not done within 0 s")


@pytest.mark.parametrize(("behaviour", "grace"), [("sleeps", 0.5), ("dawdles", 0.2)])
def test_a_slow_engine_is_told_as_slow_and_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behaviour: str, grace: float
) -> None:
    """One that never answers, and one that answers each prompt but is not done with all."""
    monkeypatch.setattr("export.parity.measure.GRACE", grace)
    hurried = replace(given(tmp_path, tmp_path), seconds=0.5)
    engine = stub(tmp_path, behaviour)
    start = time.monotonic()
    records = measured(engine, hurried, list(subjects()[:2]))
    assert time.monotonic() - start < FAR_LESS_THAN_ONE_SLEEP
    told = {(record.weights, record.use): record.reason for record in records}
    assert told["teaching", "decode"] == f"slow: not done within {0.5 + grace:.0f} s"
    assert told["trained", "decode"] == f"{told['teaching', 'decode']} with teaching weights"
    if behaviour == "sleeps":
        assert {record.verdict for record in records} == {CANNOT}
        assert told["trained", "logits"] == f"{told['teaching', 'logits']} with teaching weights"


def test_fewer_runs_of_a_slow_engine_are_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("export.runtimes.engine._TIMING", 0.1)
    settings = given(tmp_path, tmp_path)
    with loaded(stub(tmp_path, "dawdles"), teaching(), "plain", settings) as (engine, _):
        start = time.monotonic()
        assert engine.time({"token_ids": np.array([[0, 1]])}, 1000) >= 0.3
        assert time.monotonic() - start < FAR_LESS_THAN_ONE_SLEEP
