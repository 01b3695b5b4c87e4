"""The committed files: reproducible byte for byte, clean, described, and proven."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest

import export.shipped
from export.graph import IR_VERSION, LOGITS_ONLY, OPSET, model_metadata, to_onnx
from export.runtimes.onnx_runtime import onnxruntime_runner
from export.shipped import FILES, description_file, logits_file, prove, trace_file
from model import teaching_model
from model.shipped import POEMS, SHIPPED, TEACHING
from model.trace import trace_shapes
from tests.checkout import Checkout
from tests.lesson import HALF_A_DIGIT, LESSON

SIX_KB = 6 * 1024
PATH_LIKE = re.compile(rb"/[\w.-]+/[\w.-]+")


def test_the_lessons_model_exported_now_is_byte_for_byte_what_is_committed() -> None:
    model = teaching_model()
    assert model.vocabulary is not None
    metadata = model_metadata(model, TEACHING, model.vocabulary)
    fresh = to_onnx(model, LOGITS_ONLY, metadata).SerializeToString()
    assert fresh == (FILES / logits_file(TEACHING)).read_bytes()


@pytest.mark.long("the whole export")
def test_a_fresh_export_is_byte_for_byte_what_is_committed(
    checkout: Checkout, exported: subprocess.CompletedProcess[str]
) -> None:
    assert exported.returncode == 0, exported.stderr
    fresh = checkout.folder / "export" / "files"
    names = sorted(path.name for path in fresh.iterdir())
    assert names == sorted(path.name for path in FILES.iterdir())
    assert {logits_file("teaching"), trace_file("teaching")} <= set(names)
    for name in names:
        assert (fresh / name).read_bytes() == (FILES / name).read_bytes(), name


@pytest.mark.parametrize("path", sorted(FILES.glob("*.onnx")), ids=lambda path: path.name)
def test_hygiene(path: Path) -> None:
    content = path.read_bytes()
    proto = onnx.load(path)
    onnx.checker.check_model(proto, full_check=True)
    assert not PATH_LIKE.search(content)
    for trace_of_the_build in (b"site-packages", b".py", b"pytorch", b"Traceback"):
        assert trace_of_the_build not in content
    assert proto.ir_version == IR_VERSION
    assert [(entry.domain, entry.version) for entry in proto.opset_import] == [("", OPSET)]
    assert proto.producer_name == "mini-gpt"
    stated = {entry.key: entry.value for entry in proto.metadata_props}
    vocabulary = SHIPPED[stated["weights"]].load().vocabulary
    assert vocabulary is not None
    words = vocabulary.words
    assert json.loads(stated["vocabulary"]) == list(words)
    assert (list(words) == LESSON["vocabulary"]) is (stated["weights"] != POEMS)
    assert stated["licence"] == "MIT"
    assert stated["weights"] in path.name
    assert "-1 as the last word" in stated["ids"]


def test_logits_file_interface_and_size() -> None:
    path = FILES / logits_file("teaching")
    graph = onnx.load(path).graph
    assert path.stat().st_size <= SIX_KB
    assert axes(graph.input[0]) == ["batch", "sequence"]
    assert graph.input[0].name == "token_ids"
    assert graph.input[0].type.tensor_type.elem_type == onnx.TensorProto.INT64
    assert [output.name for output in graph.output] == ["logits"]
    assert axes(graph.output[0]) == ["batch", "sequence", 5]
    assert graph.output[0].type.tensor_type.elem_type == onnx.TensorProto.FLOAT


def test_trace_file_outputs_are_the_trace_in_order() -> None:
    graph = onnx.load(FILES / trace_file("teaching")).graph
    assert [output.name for output in graph.output] == list(trace_shapes(1))
    figures = {"B": "batch", "T": "sequence", "C": 4, "H": 2, "D": 2, "F": 16, "V": 5}
    for output, letters in zip(graph.output, trace_shapes(1).values(), strict=True):
        assert axes(output) == [figures[letter] for letter in letters], output.name


def test_description_states_the_lessons_example() -> None:
    stated = json.loads((FILES / description_file("teaching")).read_text("utf-8"))
    example = stated["example"]
    assert stated["vocabulary"] == LESSON["vocabulary"]
    assert stated["context_length"] == 2
    assert example["tokens"] == LESSON["prompts"]["A"]["tokens"]
    np.testing.assert_allclose(
        example["last_logits"], LESSON["prompts"]["A"]["logits"], rtol=0, atol=HALF_A_DIGIT
    )
    ran = onnxruntime_runner(FILES / logits_file("teaching"))(np.array([example["token_ids"]]))
    np.testing.assert_allclose(ran["logits"][0, -1], example["last_logits"], rtol=0, atol=5e-6)


def test_a_file_that_disagrees_is_not_handed_out() -> None:
    nudged = teaching_model()
    nudged.lm_head.bias.data[0] += 1e-3
    content = (FILES / trace_file("teaching")).read_bytes()
    with pytest.raises(AssertionError, match="logits: DIFFERS"):
        prove("twin.onnx", content, nudged, tuple(trace_shapes(1)), 5e-6)


def test_nothing_is_written_when_the_proof_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export.shipped, "ABSOLUTE_BOUND", 0.0)
    with pytest.raises(AssertionError):
        export.shipped.write_all(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def axes(value: onnx.ValueInfoProto) -> list[str | int]:
    return [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim]
