"""`python -m export`: what a person can type wrong gets a sentence, before any work is done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from export import __main__ as command
from export.__main__ import main
from export.decode_ort.decoder import OrtDecoder
from export.decode_ort.file import FORM
from export.decode_ort.stored_weights import EMBEDDED_LIMIT
from export.runtimes.onnx_runtime import session_for
from model import MiniGPT, generate
from model.model_files import save_folder


def never(*_: object, **__: object) -> Any:
    pytest.fail("the work was begun")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "taken"),
        (["--form", "static"], "taken"),
        (["pack"], "taken"),
        (["site"], "python -m ui.static_page"),
        (["parity", "onnxruntime"], "taken"),
        (["--form", FORM, "--model", "no/model"], "config.json"),
        (["parity", "nobody"], "'nobody'"),
        (["parity", "onnxruntime", "--files", "nowhere"], "nowhere"),
        (["parity", "onnxruntime", "--files", __file__], "test_command.py"),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_wrong_is_one_sentence_before_any_work(
    arguments: list[str],
    said: str,
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for work in ("write_all", "write_form", "proof_pack"):
        monkeypatch.setattr(command, work, never)
    monkeypatch.setattr("export.parity.command.measured", never)
    (tmp_path / "taken").touch()  # a file where a folder should be
    out = tmp_path / "taken" / "below"
    wanted = ["--out", str(out)] if said == "taken" else []
    assert main([*arguments, *wanted, "--lang", language]) in (1, 2)
    told = capsys.readouterr().err
    assert said in told
    assert told.startswith({"zh": "错误：", "en": "error: "}[language])
    assert told.count("\n") == 1


def test_results_of_something_else_are_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for content in ("{", "[1]", '[{"name": 1}]', "[" * 100_000):
        (tmp_path / "parity.json").write_text(content)
        assert main(["parity", "onnxruntime", "--out", str(tmp_path)]) == 2
        assert "was not written by this command" in capsys.readouterr().err
        assert (tmp_path / "parity.json").read_text() == content


def test_a_proof_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def disagree(*_: object) -> None:
        raise AssertionError("mini_gpt_x.onnx disagrees with PyTorch: logits")

    monkeypatch.setattr(command, "write_form", disagree)
    assert main(["--form", "static", "--out", str(tmp_path), "--lang", "zh"]) == 1
    assert "没有写入：mini_gpt_x.onnx disagrees" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["我的模型", "\udcce\udcd2"])
def test_a_folder_of_any_name_is_exported_and_runs(name: str, tmp_path: Path) -> None:
    torch.manual_seed(1)
    model = MiniGPT(50, 16, 32, 4, 2).eval()
    assert model.lm_head.weight.nbytes > EMBEDDED_LIMIT  # so it lies in the file beside
    save_folder(model, tmp_path / name)
    out = tmp_path / "写出"
    assert main(["--form", FORM, "--model", str(tmp_path / name), "--out", str(out)]) == 0
    graph, data = sorted(out.iterdir())
    assert data.name == f"{graph.name}.data"
    session = session_for(graph)
    stated = session.get_modelmeta().custom_metadata_map["weights"]
    assert stated == ("__" if name == "\udcce\udcd2" else name)
    written = generate(model.config, [[7, 3]], 9, next_logits=OrtDecoder(graph)).token_ids
    np.testing.assert_array_equal(written, generate(model, [[7, 3]], 9).token_ids)
