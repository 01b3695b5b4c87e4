"""A model of one's own in the decode form, and the proof that the shipped ones pass."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from export.__main__ import main
from export.decode_ort.decoder import OrtDecoder
from export.decode_ort.file import EIGHT_BIT_FORM, FORM, decode_ort, decode_ort_int8
from export.decode_ort.own_model import write_own
from export.decode_ort.proof import decode_ort_record
from export.forms.catalogue import FORMS
from export.graph import model_metadata
from export.parity.subjects import Subject
from model import InputError, MiniGPT, Vocabulary, generate
from model.model_files import save_folder
from model.vocabulary import LESSON_WORDS


def own_model() -> MiniGPT:
    torch.manual_seed(1)
    return MiniGPT(50, 16, 32, 4, 2).eval()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_folder(own_model(), tmp_path / "own")
    return tmp_path / "own"


def test_one_command_writes_a_file_that_writes_the_same_text(folder: Path, tmp_path: Path) -> None:
    assert main(["--form", FORM, "--model", str(folder), "--out", str(tmp_path / "out")]) == 0
    decoder = OrtDecoder(tmp_path / "out" / "own_decode_ort.onnx")
    expected = generate(own_model(), [[7, 3]], 30)
    actual = generate(decoder.config, [[7, 3]], 30, next_logits=decoder)
    np.testing.assert_array_equal(actual.token_ids, expected.token_ids)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda folder: (folder / "config.json").unlink(), "checkpoint_missing"),
        (lambda folder: (folder / "model.safetensors").unlink(), "checkpoint_missing"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"{}"), "checkpoint_json"),
        (lambda folder: save_folder(MiniGPT(50, 8, 32, 4, 2), folder), "checkpoint_config_differs"),
        (
            lambda folder: save_folder(MiniGPT(50, 16, 32, 4, 1), folder),
            "checkpoint_config_differs",
        ),
    ],
)
def test_what_is_no_model_is_explained(
    folder: Path, tmp_path: Path, spoil: object, code: str
) -> None:
    config = (folder / "config.json").read_bytes()
    assert callable(spoil)
    spoil(folder)
    if (folder / "config.json").exists():
        (folder / "config.json").write_bytes(config)  # the weights alone are of other sizes
    with pytest.raises(InputError) as caught:
        write_own(folder, FORM, tmp_path / "out")
    assert caught.value.code == code


def test_the_file_says_its_words_and_what_ids_it_takes(tmp_path: Path) -> None:
    torch.manual_seed(1)
    model = MiniGPT(3, 4, 8, 2, 1)
    model.vocabulary = Vocabulary(("甲", "乙", "丙"))
    save_folder(model, tmp_path / "three")
    (path, _) = write_own(tmp_path / "three", FORM, tmp_path)
    stated = {entry.key: entry.value for entry in onnx.load(path).metadata_props}
    assert json.loads(stated["vocabulary"]) == ["甲", "乙", "丙"]
    assert "-1" in stated["ids"]


def spoilt(value: float) -> MiniGPT:
    model = own_model()
    with torch.no_grad():
        dict(model.named_parameters())["blocks.1.ffn.2.bias"][0] = value
    return model


@pytest.mark.parametrize("form", FORMS)
def test_no_form_is_made_of_what_no_reader_takes(form: str) -> None:
    _refused(spoilt(torch.nan), form, "checkpoint_not_finite")
    _refused(spoilt(-torch.inf), form, "checkpoint_not_finite")
    for convert in (MiniGPT.half, MiniGPT.bfloat16, MiniGPT.double):
        _refused(convert(own_model()), form, "weights_dtype")


def _refused(model: MiniGPT, form: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        FORMS[form].build(model, {})
    assert caught.value.code == code


def test_other_forms_need_no_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--form", "static", "--model", str(folder)])
    assert "--model needs --form decode-ort" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--form", "static", "--model", str(folder), "--lang", "zh"])
    assert "--model 要和 --form decode-ort" in capsys.readouterr().err
    assert main(["--form", FORM, "--model", str(folder / "nowhere")]) == 2


def test_both_forms_are_listed() -> None:
    assert {FORM, EIGHT_BIT_FORM} <= set(FORMS)


@pytest.mark.long("a whole proof")
def test_the_proof_passes_the_model_and_catches_its_twin() -> None:
    torch.manual_seed(0)
    model = MiniGPT(5, 8, 4, 2, 2).eval()
    subject = Subject("random", model, every=5, bound=5e-6, shipped=False)
    metadata = model_metadata(model, "random", LESSON_WORDS)
    content = decode_ort(model, metadata).SerializeToString()
    record = decode_ort_record(FORM, subject, content)
    assert 0 < (record.max_abs_logits or 0) <= 5e-6
    rounded = decode_ort_int8(model, metadata).SerializeToString()
    stated = decode_ort_record(EIGHT_BIT_FORM, subject, rounded)
    assert (stated.max_abs_logits or 0) > 1e-4
    assert "places" in stated.reason
    torch.manual_seed(0)
    twin = MiniGPT(5, 8, 4, 2, 2).eval()
    with torch.no_grad():
        twin.lm_head.bias[0] += 1e-3
    with pytest.raises(AssertionError, match="differs"):
        decode_ort_record(FORM, replace(subject, model=twin), content)
