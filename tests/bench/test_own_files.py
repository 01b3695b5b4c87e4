"""The benchmark of a trained model's files: every contender makes the same network."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest

from bench.own_files import contenders, main
from export.runtimes.onnx_runtime import onnxruntime_runner


@pytest.mark.long("exports")
def test_every_contender_makes_a_network() -> None:
    made: dict[str, Any] = {name: make() for name, make in contenders().items()}
    assert list(made) == ["bare export", "two exports", "template, first", "template", "hub folder"]
    ids = np.array([[0, 1, 4]])
    bare, *forms, folder = made.values()
    assert bare.model_proto.graph.node
    assert {"model.safetensors", "onnx/model.onnx"} < folder.keys()
    plain = [contents["mini_gpt_own.onnx"] for contents, _ in forms]
    expected = onnxruntime_runner(plain[0])(ids)["logits"]
    for content in plain[1:]:
        np.testing.assert_allclose(onnxruntime_runner(content)(ids)["logits"], expected, atol=1e-5)
        assert onnx.load_from_string(content).producer_name == "mini-gpt"


def test_the_table_is_markdown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.own_files.measure", lambda rounds: {"bare": 2.0, "template": 1.0})
    main(["--rounds", "1"])
    assert "| template | 1.00 | 0.50 |" in capsys.readouterr().out
