"""The proof pack: what is in it, and that it is the same zip every time."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from export.__main__ import main
from export.compare import compare, failures
from export.pack import archive as archive_module
from export.pack.archive import PACK, contents, proof_pack
from export.pack.spreadsheet import FILE as SPREADSHEET
from export.runtimes.onnx_runtime import onnxruntime_runner
from export.shipped import FILES
from model.trace import trace_shapes
from model.vocabulary import LESSON_WORDS


@pytest.fixture(scope="module")
def archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(proof_pack()))


def test_it_holds_every_file_and_the_examples(archive: zipfile.ZipFile) -> None:
    assert archive.testzip() is None
    names = set(archive.namelist())
    assert {path.name for path in FILES.iterdir()} <= names
    assert {
        "README.md", "expected.json", "tokenizer.json", SPREADSHEET,
        "examples/run.py", "examples/run.mjs", "examples/run.html", "examples/run.cpp",
    } <= names  # fmt: skip


def test_the_bytes_are_the_same_every_time() -> None:
    first = proof_pack()
    proof_pack.cache_clear()
    assert proof_pack() == first


def test_every_file_can_be_read_by_all(archive: zipfile.ZipFile) -> None:
    assert {entry.external_attr >> 16 & 0o777 for entry in archive.infolist()} == {0o644}


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", "--out", str(tmp_path / PACK)]) == 0
    assert (tmp_path / PACK).read_bytes() == proof_pack()
    assert PACK in capsys.readouterr().out


def test_expected_json_is_every_value_of_30_prompts(archive: zipfile.ZipFile) -> None:
    expected = json.loads(archive.read("expected.json"))
    run = onnxruntime_runner(archive.read("mini_gpt_teaching_trace.onnx"))
    assert expected["words"] == list(LESSON_WORDS.words)
    assert len({tuple(prompt["token_ids"]) for prompt in expected["prompts"]}) == 30
    for prompt in expected["prompts"]:
        assert prompt["tokens"] == [
            LESSON_WORDS.words[token_id] for token_id in prompt["token_ids"]
        ]
        assert list(prompt["values"]) == list(trace_shapes(1)) == list(expected["axes"])
        actual = run(np.array([prompt["token_ids"]]))
        wanted = {
            name: np.array(value, dtype=np.float32).reshape(actual[name].shape)
            for name, value in prompt["values"].items()
        }
        for value in wanted.values():
            value[np.isnan(value)] = -np.inf  # null: a masked score
        assert failures(compare(wanted, actual, expected["bound"])) == []


def test_the_lessons_figures_are_in_it(archive: zipfile.ZipFile) -> None:
    prompts = json.loads(archive.read("expected.json"))["prompts"]
    (lesson,) = (prompt for prompt in prompts if prompt["tokens"] == ["我", "喜欢"])
    rounded = [round(value, 4) for value in lesson["values"]["logits"][-1]]
    assert rounded == [1.1128, -2.739, -1.5262, 2.1336, 1.7397]


def test_the_card_states_every_file_and_both_languages(archive: zipfile.ZipFile) -> None:
    card = archive.read("README.md").decode()
    for name, content in contents().items():
        if name != "README.md":
            assert f"| `{name}` | {len(content):,} |" in card
    assert "证明" in card
    assert "Proof" in card
    assert "| teaching | 5 | 2 | 4 | 2 | 1 |" in card


def test_no_file_holds_a_path_of_whoever_made_it(archive: zipfile.ZipFile) -> None:
    project = Path(archive_module.__file__).parents[2]
    of_the_maker = {Path.home(), Path(tempfile.gettempdir()), project} - {Path("/")}
    for name in archive.namelist():
        content = archive.read(name)
        for path in ("/home/", "/tmp/", *(f"{folder}/" for folder in of_the_maker)):
            assert path.encode() not in content
