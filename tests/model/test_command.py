"""`python -m model train`: a corpus or a recipe in, a folder out."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from model import MiniGPT
from model import __main__ as command
from model.__main__ import main
from model.config import MiniGPTConfig
from model.corpus import LESSON_CORPUS, read_corpus, windows_of
from model.generation import generate
from model.recipe import Recipe
from model.training import Progress, look
from model.vocabulary import LESSON_WORDS
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
    assert "loss of a uniform guess 1.6094, entropy floor 0.0000" in done.stdout
    assert "我 喜欢 -> AI" in done.stdout
    assert "猫 喜欢 -> 学习" in done.stdout
    assert done.stderr == ""  # the bar is for terminals
    assert re.search(r"final corpus loss 0\.\d{4}\n", done.stdout)
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
        (LESSON_CORPUS, ["--num-heads", "3"], "must be divisible"),
        (LESSON_CORPUS, ["--steps", "0"], "steps"),
        (LESSON_CORPUS, ["--batch-size", "0"], "batch_size"),
        (LESSON_CORPUS, ["--learning-rate", "∞"], "learning_rate"),
        (LESSON_CORPUS, ["--learning-rate", "0"], "learning_rate"),
        (LESSON_CORPUS, ["--dropout", "100%"], "dropout"),
        (LESSON_CORPUS, ["--context-length", "9" * 14], "memory"),
        (LESSON_CORPUS, ["--num-layers", "9" * 30], "memory"),
        (LESSON_CORPUS, ["--model-dim", "9" * 30, "--num-heads", "2"], "memory"),
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


def test_as_many_sentences_a_step_as_a_person_types(corpus: Path, tmp_path: Path) -> None:
    arguments = ["train", "--corpus", str(corpus), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--steps", "1", "--batch-size", "9" * 40]) == 0


def test_numbers_are_read_as_on_the_page(corpus: Path, tmp_path: Path) -> None:
    ways = (
        ["--steps", "３０", "--learning-rate", "0，01", "--dropout", "10%", "--seed", "正7"],
        ["--steps", "3×10¹", "--learning-rate", "１／１００", "--dropout", "0。1", "--seed", "7.0"],
        ["--steps", "30", "--learning-rate", "0.01", "--dropout", "0.1", "--seed", "7"],
    )
    written = set()
    for at, numbers in enumerate(ways):
        out = tmp_path / str(at)
        assert main(["train", "--corpus", str(corpus), "--out", str(out), *numbers]) == 0
        written.add((out / WEIGHTS_FILE).read_bytes())
    assert len(written) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--learning-rate", "nan"], "参数 --learning-rate：必须是数，现在是 'nan'"),
        (["--steps", "2.5"], "参数 --steps：必须是整数，现在是 '2.5'"),
        (["--steps", "1,000"], "如果是小数点，请输入 1.000；如果是千位分隔，请输入 1000"),
        (["--batch-size", "9" * 400], f"必须是整数，现在是 '{'9' * 40}…'"),
    ],
)
def test_what_is_no_number_says_what_would_be_right(
    corpus: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["train", "--corpus", str(corpus), "--out", "o", "--lang", "zh", *arguments])
    assert said in capsys.readouterr().err


def test_a_training_that_diverges_keeps_its_last_good_weights(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["train", "--corpus", str(corpus), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--learning-rate", "1e38", "--lang", "zh"]) == 2
    told = capsys.readouterr()
    assert "学习率 1e+38 对这些权重来说太大" in told.err
    assert f"已写入 {tmp_path / 'out'}" in told.out
    kept = MiniGPT.from_pretrained(tmp_path / "out")
    seen = look(kept, windows_of(read_corpus(LESSON_CORPUS, LESSON_WORDS), 8), [])
    assert f"整个语料的最终损失 {seen.corpus_loss:.4f}" in told.out


def test_a_training_that_is_stopped_keeps_what_it_learned(
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = Recipe.run

    def stopped(recipe: Recipe) -> tuple[MiniGPT, Iterator[Progress]]:
        model, progress = run(recipe)

        def until_somebody_stops_it() -> Iterator[Progress]:
            yield from itertools.islice(progress, 200)
            raise KeyboardInterrupt

        return model, until_somebody_stops_it()

    monkeypatch.setattr(Recipe, "run", stopped)
    arguments = ["train", "--corpus", str(corpus), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--seed", "1"]) == 130
    told = capsys.readouterr()
    assert told.err == "stopped\n"
    loss = re.search(r"final corpus loss (\S+)", told.out)
    assert loss is not None
    assert float(loss[1]) < 1.0  # 1.6094 is knowing nothing
    assert MiniGPT.from_pretrained(tmp_path / "out").config.num_layers == 2


@pytest.mark.parametrize("out", ["file", "file/below", "locked/below"])
def test_a_folder_that_cannot_be_written_is_said_before_the_training(
    corpus: Path,
    tmp_path: Path,
    out: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def forbidden(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "file").touch()
    if out.startswith("locked"):  # root may write everywhere
        monkeypatch.setattr(Path, "mkdir", forbidden)
    monkeypatch.setattr(command, "_run", lambda *_: pytest.fail("it was trained"))
    assert main(["train", "--corpus", str(corpus), "--out", str(tmp_path / out)]) == 1
    assert str(tmp_path / "file") in (told := capsys.readouterr().err) or "locked" in told


@pytest.mark.parametrize(
    "encoding", ["ascii", pytest.param("gbk", marks=pytest.mark.long("another encoding"))]
)
def test_a_console_without_chinese_ends_no_training(
    corpus: Path, tmp_path: Path, encoding: str
) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "model", "train", "--corpus", str(corpus), "--out", str(out)]
    environment = os.environ | {"PYTHONIOENCODING": encoding, "LC_ALL": "zh_CN.GBK"}
    done = subprocess.run(
        [*command, "--steps", "1"], cwd=ROOT, env=environment, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")
    said = "written to" if encoding == "ascii" else "已写入"
    assert said in done.stdout.decode(encoding)
    assert (out / WEIGHTS_FILE).exists()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gbk"])
def test_a_corpus_as_an_editor_writes_it(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "语料.txt"
    path.write_text(LESSON_CORPUS, encoding=encoding)
    out = tmp_path / "我的模型"
    assert main(["train", "--corpus", str(path), "--out", str(out), "--steps", "1"]) == 0
    assert (out / WEIGHTS_FILE).exists()


RECIPE: dict[str, Any] = {
    "corpus": "corpus.txt",
    "model": MiniGPTConfig(5, 2, 4, 2, 1, 0.0).as_dict(),
    "training": {"steps": 1},
}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not a training recipe"),
        ("我 喜欢 AI", "is not a training recipe"),
        ("[" * 100_000, "is not a training recipe"),
        ("[]", "is not a training recipe (list)"),
        ("{}", "(corpus: str)"),
        (RECIPE | {"corpus": 3}, "(corpus: str)"),
        (RECIPE | {"corpus": "other.txt"}, "other.txt"),
        (RECIPE | {"model": None}, "(model: dict)"),
        (RECIPE | {"model": {}}, "(model: context_length, model_dim, num_heads"),
        (RECIPE | {"model": RECIPE["model"] | {"layers": 3}}, "(model: layers)"),
        (RECIPE | {"model": RECIPE["model"] | {"num_heads": "2"}}, "num_heads"),
        (RECIPE | {"model": RECIPE["model"] | {"vocab_size": 4}}, "(vocab_size 4)"),
        (RECIPE | {"training": []}, "(training: dict)"),
        (RECIPE | {"training": {"step": 3}}, "(training: step)"),
        (RECIPE | {"training": {"steps": None}}, "steps"),
        (RECIPE | {"training": {"learning_rate": 10**400}}, "learning_rate"),
        (RECIPE | {"watched": "我 喜欢"}, "(watched: list)"),
        (RECIPE | {"watched": [3]}, "(watched)"),
        (RECIPE | {"watched": [""]}, "(watched)"),
        (RECIPE | {"watched": ["狗"]}, "“狗”"),
    ],
)
def test_what_is_no_recipe_gets_a_sentence(
    corpus: Path, tmp_path: Path, content: object, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = corpus.with_name("recipe.json")
    recipe.write_text(content if isinstance(content, str) else json.dumps(content))
    assert main(["train", "--recipe", str(recipe), "--out", str(tmp_path / "out")]) in (1, 2)
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_corpus_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--corpus", str(tmp_path / "none"), "--out", str(tmp_path / "o")]) == 1
    assert "none" in capsys.readouterr().err


POEM_OF_TWENTY_LINES = """慈母手中线，
游子身上衣。
临行密密缝，
意恐迟迟归。
谁言寸草心，
报得三春晖。
离离原上草，
一岁一枯荣。
野火烧不尽，
春风吹又生。
远芳侵古道，
晴翠接荒城。
又送王孙去，
萋萋满别情。
国破山河在，
城春草木深。
感时花溅泪，
恨别鸟惊心。
烽火连三月，
家书抵万金。"""


@pytest.mark.parametrize(
    ("unit", "encoding"),
    [
        ("characters", "gbk"),
        pytest.param("words", "utf-16", marks=pytest.mark.long("a whole training")),
        pytest.param("characters", "utf-8-sig", marks=pytest.mark.long("a whole training")),
    ],
)
def test_a_poem_of_twenty_lines_is_learned_by_the_defaults(
    tmp_path: Path, unit: str, encoding: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "poem.txt"
    text = POEM_OF_TWENTY_LINES if unit == "characters" else " ".join(POEM_OF_TWENTY_LINES)
    path.write_text(text, encoding=encoding)
    out = tmp_path / "out"
    arguments = ["train", "--corpus", str(path), "--unit", unit, "--out", str(out), "--lang", "en"]
    assert main([*arguments, "--seed", "5"]) == 0
    told = capsys.readouterr().out
    model = MiniGPT.from_pretrained(out)
    words = model.vocabulary
    assert words is not None
    ids = words.encode(text)
    assert generate(model, [ids[:1]], len(ids) - 1).token_ids[0].tolist() == ids
    assert not model.lm_head.bias.any()
    assert f"{len(ids)} words, {len(words)} different: 慈 母" in told
    assert "context_length 8, model_dim 32, num_heads 4, num_layers 2, dropout 0.0" in told
    assert "steps 600, batch_size 32, seed 5, learning_rate 0.005" in told
    count = sum(value.numel() for value in model.parameters())
    assert re.search(rf"{count:,} parameters; about [\d,]+ s of training", told)
    assert words.text(ids) in told


def own(tmp_path: Path, text: str, *arguments: str) -> int:
    path = tmp_path / "own.txt"
    path.write_text(text, encoding="utf-8")
    return main(["train", "--corpus", str(path), "--out", str(tmp_path / "out"), *arguments])


def test_what_is_given_is_taken(tmp_path: Path) -> None:
    sizes = ["--model-dim", "12", "--num-heads", "3", "--num-layers", "1", "--steps", "2"]
    assert own(tmp_path, "to be or not to be", "--unit", "words", "--bias", *sizes) == 0
    model = MiniGPT.from_pretrained(tmp_path / "out")
    assert (model.config.model_dim, model.config.num_heads, model.config.num_layers) == (12, 3, 1)
    assert model.lm_head.bias.any()


def test_three_hundred_words_are_no_limit(tmp_path: Path) -> None:
    text = " ".join(f"w{number}" for number in range(300))
    assert own(tmp_path, text, "--unit", "words", "--steps", "1") == 0
    assert MiniGPT.from_pretrained(tmp_path / "out").config.vocab_size == 300


def test_line_ends_can_be_breaks(tmp_path: Path) -> None:
    arguments = ["--unit", "characters", "--line-ends", "break", "--steps", "1"]
    assert own(tmp_path, "ab\nac", *arguments) == 0
    model = MiniGPT.from_pretrained(tmp_path / "out")
    assert model.vocabulary is not None
    assert model.vocabulary.words == ("a", "b", "c")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no word"),
        ("   \n ", "has no word"),
        ("word", "a single different word"),
        (" ".join(map(str, range(100_000))), "100000 different words"),
    ],
)
def test_a_text_that_cannot_be_learned_is_said(
    tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert own(tmp_path, text, "--unit", "words") == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_other_words_without_a_unit_are_told_how(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert own(tmp_path, "to be or not to be") == 2
    assert "--unit words" in capsys.readouterr().err


def test_a_recipe_states_the_unit_of_its_text(tmp_path: Path) -> None:
    (tmp_path / "poem.txt").write_text("床前明月光", encoding="utf-8")
    recorded: dict[str, Any] = {
        "corpus": "poem.txt",
        "unit": "characters",
        "model": MiniGPTConfig(5, 2, 4, 2, 1, 0.0).as_dict(),
        "training": {"steps": 2, "output_bias": False, "decay": True},
        "watched": ["床前"],
    }
    recipe = tmp_path / "recipe.json"
    recipe.write_text(json.dumps(recorded))
    assert main(["train", "--recipe", str(recipe), "--out", str(tmp_path / "out")]) == 0
    for wrong in ({"unit": "letters"}, {"line_ends": "x"}, {"training": {"decay": 1}}):
        recipe.write_text(json.dumps(recorded | wrong))
        assert main(["train", "--recipe", str(recipe), "--out", str(tmp_path / "no")]) == 2
