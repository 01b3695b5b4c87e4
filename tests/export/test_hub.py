"""`python -m export hub`: proven before it is written, refused where folding is not exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper

from export import hub
from export.__main__ import main
from export.hub import write_hub
from export.shipped import DisagreementError
from model import MiniGPT
from model.config import MiniGPTConfig
from model.errors import InputError
from model.gpt2 import folder as gpt2_folder
from model.gpt2.folder import ONNX_FILE
from model.gpt2.graph import gpt2_graph
from model.teaching import teaching_model
from model.trained import trained_model
from model.training import new_model
from model.weights_file import CONFIG_FILE


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("name", ["teaching", "trained"])
def test_the_command_writes_what_save_pretrained_does(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hub", "--model", name, "--out", str(tmp_path / "hub"), "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "largest |Δ| of a logit from PyTorch" in said
    hub.chosen_model(name).save_pretrained(tmp_path / "saved")
    assert contents(tmp_path / "hub") == contents(tmp_path / "saved")


def test_a_folder_of_any_form_and_the_way_back(tmp_path: Path) -> None:
    trained_model().save_pretrained(tmp_path / "saved")
    assert main(["hub", "--model", str(tmp_path / "saved"), "--out", str(tmp_path / "hub")]) == 0
    assert contents(tmp_path / "hub") == contents(tmp_path / "saved")


def test_a_bias_that_cannot_be_folded_is_said_and_kept_in_our_own_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = new_model(MiniGPTConfig(9, 4, 4, 2, 1), 0)
    model.save_pretrained(tmp_path / "own")
    command = ["hub", "--model", str(tmp_path / "own"), "--out", str(tmp_path / "hub")]
    assert main([*command, "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert "logits would differ by up to" in said
    assert "--plain" in said
    assert not (tmp_path / "hub").exists()
    assert main([*command, "--plain"]) == 0
    loaded = MiniGPT.from_pretrained(tmp_path / "hub")
    assert torch.equal(loaded.lm_head.bias, model.lm_head.bias)
    assert not (tmp_path / "hub" / ONNX_FILE).exists()


@pytest.mark.parametrize("missing", ["no model of this name", "."])
def test_what_is_no_model_is_said(missing: str, tmp_path: Path) -> None:
    assert main(["hub", "--model", missing, "--out", str(tmp_path / "hub")]) == 2
    assert not (tmp_path / "hub" / CONFIG_FILE).exists()


def test_a_graph_with_one_nudged_weight_is_caught_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = gpt2_graph

    def nudged(*given: object, **how: bool) -> onnx.ModelProto:
        proto = graph(*given, **how)  # type: ignore[arg-type]
        weight = next(w for w in proto.graph.initializer if w.name.endswith("c_fc.bias"))
        values = numpy_helper.to_array(weight).copy()
        values[0] += np.float32(1e-3)
        weight.CopyFrom(numpy_helper.from_array(values, weight.name))
        return proto

    monkeypatch.setattr(gpt2_folder, "gpt2_graph", nudged)
    with pytest.raises(DisagreementError, match="logits: DIFFERS"):
        write_hub(teaching_model(), tmp_path / "hub")
    assert not (tmp_path / "hub" / CONFIG_FILE).exists()


def test_weights_that_no_file_may_hold_are_refused(tmp_path: Path) -> None:
    model = teaching_model()
    with torch.no_grad():
        model.lm_head.weight[0, 0] = float("nan")
    with pytest.raises(InputError) as caught:
        write_hub(model, tmp_path / "hub")
    assert caught.value.code == "checkpoint_not_finite"
