"""WebGPU: the numbers come from the adapter, and a wrong one is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from export.parity.files import FormFiles
from export.parity.measure import Settings, measure_logits
from export.parity.record import OK, WRONG
from export.parity.subjects import subjects
from export.runtimes.catalogue import RUNTIMES
from export.runtimes.environments import default_root, is_ready
from export.runtimes.webgpu import on_adapter
from export.shipped import FILES
from tests.needed import missing

SECONDS = 60.0
FORMS = ("mini_gpt_teaching.onnx", "mini_gpt_teaching_trace.onnx")


class _Run:
    seconds = 0.25

    def __call__(self, feeds: Any) -> dict[str, np.ndarray]:
        return {"logits": np.zeros((1, 2, 5), np.float32)}


class _Page:
    def __init__(self, shader_runs: int) -> None:
        self.shader_runs = shader_runs

    def evaluate(self, _: str) -> int:
        return self.shader_runs


def test_an_answer_without_a_shader_is_refused() -> None:
    on_graphics: Any = on_adapter(_Page(33), _Run())
    assert on_graphics({})["logits"].shape == (1, 2, 5)
    assert on_graphics.seconds == _Run.seconds
    with pytest.raises(RuntimeError, match="nothing was computed on the WebGPU adapter"):
        on_adapter(_Page(0), _Run())({})


@pytest.mark.long("Chromium's WebGPU compiles shaders on the processor")
@pytest.mark.parametrize(("nudge", "verdict"), [(0.0, OK), (1e-3, WRONG)])
def test_a_nudged_weight_is_caught(nudge: float, verdict: str, tmp_path: Path) -> None:
    engine = RUNTIMES["webgpu"]
    if not is_ready(engine, default_root()):
        missing(f"the engine webgpu: {' && '.join(engine.install_lines())}")
    for name in FORMS:
        proto = onnx.load(FILES / name)
        (table,) = (t for t in proto.graph.initializer if t.name == "position_embedding.weight")
        weights = numpy_helper.to_array(table).copy()
        weights[1, 2] += nudge
        table.CopyFrom(numpy_helper.from_array(weights, table.name))
        onnx.save(proto, tmp_path / name)
    settings = Settings(FormFiles(tmp_path, tmp_path), default_root(), SECONDS)
    record = measure_logits(engine, subjects()[0], settings)
    assert record.verdict == verdict, record.reason
    if nudge:
        assert record.reason.startswith("position_embeddings: DIFFERS, max |Δ| 1.00e-03")
