"""`python -m model train`: a corpus or a recipe in, a folder out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from model import MiniGPT
from model.__main__ import main
from model.config import MiniGPTConfig
from model.corpus import LESSON_CORPUS
from model.weights_file import WEIGHTS_FILE

ROOT = Path(__file__).parents[2]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(LESSON_CORPUS, encoding="utf-8")
    return path


def test_train_by_the_command(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "model", "train", "--corpus", str(corpus), "--out", str(out)]
    done = subprocess.run(
        [*command, "--steps", "400", "--seed", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert "loss of knowing nothing 1.6094, entropy floor 0.0000" in done.stdout
    assert "我 喜欢 -> AI" in done.stdout
    assert "猫 喜欢 -> 学习" in done.stdout
    assert done.stderr == ""  # the bar is for terminals
    model = MiniGPT.from_pretrained(out)
    assert model.config == MiniGPTConfig(5, 8, 4, 2, 2, 0.1)
    chances = model.trace(torch.tensor([[0, 1], [4, 1]]))["vocabulary_probs"][:, -1]
    assert chances.argmax(-1).tolist() == [2, 3]


def test_the_same_command_writes_the_same_file(corpus: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        arguments = ["train", "--corpus", str(corpus), "--out", str(tmp_path / name)]
        assert main([*arguments, "--steps", "30", "--num-layers", "1", "--model-dim", "6"]) == 0
    one, two = (tmp_path / name / WEIGHTS_FILE for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_a_recipe_is_run_again(corpus: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.json"
    recorded = {
        "corpus": corpus.name,
        "model": MiniGPTConfig(5, 2, 4, 2, 1, 0.0).as_dict(),
        "training": {"steps": 20, "seed": 4},
        "watched": ["我 喜欢"],
    }
    recipe.write_text(json.dumps(recorded))
    assert main(["train", "--recipe", str(recipe), "--out", str(tmp_path / "out")]) == 0
    assert MiniGPT.from_pretrained(tmp_path / "out").config.context_length == 2


@pytest.mark.parametrize(
    ("content", "arguments", "said"),
    [
        ("我 喜欢\n猫 狗", [], "Line 2"),
        (LESSON_CORPUS, ["--num-heads", "3"], "not divisible"),
        (LESSON_CORPUS, ["--steps", "0"], "steps"),
        (LESSON_CORPUS, ["--learning-rate", "1e38"], "The learning rate 1e+38 is too large"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_written(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: str,
    arguments: list[str],
    said: str,
) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text(content, encoding="utf-8")
    out = tmp_path / "out"
    assert main(["train", "--corpus", str(path), "--out", str(out), *arguments]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_a_corpus_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--corpus", str(tmp_path / "none"), "--out", str(tmp_path / "o")]) == 2
    assert "none" in capsys.readouterr().err
