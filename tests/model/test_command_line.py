"""A command line in the person's language, whose numbers are read as the page reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from model.command_line import Parser
from model.console import Console

CASES = json.loads((Path(__file__).parents[1] / "typed_numbers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "缺少参数：--out, command"),
        (["--out", "o", "train", "--nope"], "不认识的参数：--nope"),
        (["--out", "o", "train", "--steps", "x"], "参数 --steps：必须是整数，现在是 'x'"),
        (["--out", "o", "run"], "参数 command 不能是 'run'，只能是 'train'"),
        (["--out"], "参数 --out 后面要有一个值"),
    ],
)
def test_a_wrong_command_line_is_explained_in_chinese(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = Parser(Console("zh"), prog="p")
    parser.add_argument("--out", required=True)
    commands = parser.add_commands(dest="command", metavar="command", required=True)
    train = commands.add_parser("train")
    train.add_argument("--steps", type=train.whole_number)
    with pytest.raises(SystemExit, match="2"):
        parser.parse_args(arguments)
    assert said in capsys.readouterr().err


def numbers(language: str = "en") -> Parser:
    parser = Parser(Console(language), prog="p")
    parser.add_argument("--rate", type=parser.number)
    parser.add_argument("--steps", type=parser.whole_number)
    parser.add_argument("--rounds", type=parser.count)
    return parser


@pytest.mark.parametrize("case", CASES["read"], ids=lambda case: repr(case["text"]))
def test_a_number_is_what_every_field_reads(case: dict[str, Any]) -> None:
    read = numbers().parse_args([f"--rate={case['text']}"]).rate
    assert read == float(case["value"])


@pytest.mark.parametrize(
    ("text", "steps"), [("３００", 300), ("1e3", 1000), ("2.0", 2), ("正2", 2), ("600/2", 300)]
)
def test_a_whole_number_too(text: str, steps: int) -> None:
    assert numbers().parse_args(["--steps", text]).steps == steps
    assert numbers().parse_args(["--rounds", text]).rounds == steps


@pytest.mark.parametrize(
    ("arguments", "en", "zh"),
    [
        (["--rate=x"], "argument --rate: must be a number, got 'x'", "参数 --rate：必须是数"),
        (["--rate=1,234"], "can be read in two ways", "1.234"),
        (["--steps=2.5"], "--steps: must be a whole number, got '2.5'", "必须是整数，现在是 '2.5'"),
        (["--steps=∞"], "--steps: must be a whole number", "必须是整数"),
        (["--rounds=0"], "must be a whole number of at least 1, got '0'", "不小于 1 的整数"),
        (["--rounds=-3"], "must be a whole number of at least 1", "不小于 1 的整数"),
    ],
)
def test_what_is_no_number_is_said(
    arguments: list[str], en: str, zh: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for language, said in (("en", en), ("zh", zh)):
        with pytest.raises(SystemExit, match="2"):
            numbers(language).parse_args(arguments)
        assert said in capsys.readouterr().err
