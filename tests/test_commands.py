"""Every command: its help in both languages, and what it says where packages are missing."""

from __future__ import annotations

import argparse
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from model.command_line import Parser
from model.console import packages_needed

ROOT = Path(__file__).parents[1]
COMMANDS = (
    "app",
    "model.__main__",
    "export.__main__",
    "deploy.__main__",
    "deploy.builder",
    "deploy.nginx",
    "ui.static_page.__main__",
    "bench.click",
    "bench.decode",
    "bench.film_frames",
    "bench.first_visit",
    "bench.load.__main__",
    "bench.start",
    "bench.training",
    "bench.own_files",
    "bench.large_view",
)
CHINESE = re.compile("[\u4e00-\u9fff]")
FOLDERS = ("model", "export", "ui", "deploy", "bench", "tools")


_MAKES_A_PARSER = (
    r"(?m)(?<!class )\b\w*Parser\(\n?\s*console|^from bench\.commands import .*\brun\b"
)


def test_no_command_line_is_forgotten() -> None:
    made = {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        if re.search(_MAKES_A_PARSER, path.read_text(encoding="utf-8"))
    }
    # app.py's stands in a module of its own; the others are what several commands share.
    assert made - {"model.command_line", "ui.options", "bench.commands"} == {*COMMANDS} - {"app"}


def main_of(command: str) -> Any:
    return importlib.import_module(command).main


def parser_of(command: str, language: str, monkeypatch: pytest.MonkeyPatch) -> Parser:
    """The parser that a command makes for `--lang language`."""
    kept: list[Parser] = []

    def keep(parser: Parser, *_: object) -> NoReturn:
        kept.append(parser)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Parser, "parse_args", keep)
        with pytest.raises(KeyboardInterrupt):
            main_of(command)(["--lang", language])
    return kept[0]


def with_commands(parser: Parser) -> Iterator[Parser]:
    yield parser
    for action in parser._actions:
        if isinstance(action.choices, dict):
            for below in action.choices.values():
                yield from with_commands(below)


def helps(parser: Parser) -> Iterator[tuple[str, str | None]]:
    """What explains the parser, each option and each subcommand, by name."""
    yield parser.prog, parser.description
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from ((choice.dest, choice.help) for choice in action._get_subactions())
        else:
            yield f"{parser.prog} {action.option_strings or action.dest}", action.help


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_in_the_language(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for language in ("zh", "en"):
        for parser in with_commands(parser_of(command, language, monkeypatch)):
            for name, explained in helps(parser):
                assert explained, f"{name} has no help in {language}"
                assert bool(CHINESE.search(explained)) == (language == "zh"), (name, explained)


@pytest.mark.parametrize(
    ("command", "below"),
    [("app", []), ("model.__main__", ["train"]), ("export.__main__", ["parity"])],
)
def test_so_are_the_words_around_it(
    command: str, below: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in ([], below):
        with pytest.raises(SystemExit, match="0"):
            main_of(command)([*arguments, "--help", "--lang", "zh"])
        told = capsys.readouterr().out
        assert told.startswith("用法：")
        assert "选项:" in told
        assert not re.search("usage|options:|show this", told)


def run_without_packages(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a Python that looks in no site-packages."""
    return subprocess.run(
        [sys.executable, "-S", "-m", command, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


@pytest.mark.parametrize(
    ("arguments", "package", "file"),
    [
        ("app", "gradio", "requirements.txt"),
        ("model train", "tqdm", "requirements.txt"),
        ("export", "numpy", "requirements.txt"),
        ("export parity", "numpy", "requirements.txt"),
        ("export pack", "numpy", "requirements.txt"),
        ("export site", "numpy", "requirements.txt"),
        ("deploy owner/name --dry-run", "huggingface_hub", "requirements.txt"),
        ("bench.decode", "numpy", "requirements.txt"),
        ("bench.training", "numpy", "requirements.txt"),
        ("bench.own_files", "torch", "requirements.txt"),
        ("bench.large_view", "numpy", "requirements.txt"),
        ("bench.pages", "gradio", "requirements.txt"),
        ("bench.click", "playwright", "requirements-dev.txt"),
        ("bench.start", "playwright", "requirements-dev.txt"),
        ("bench.film_frames", "playwright", "requirements-dev.txt"),
        ("bench.first_visit", "playwright", "requirements-dev.txt"),
        ("ui.static_page --out nowhere", "numpy", "requirements.txt"),
        ("tools.tables", "onnx", "requirements.txt"),
        ("tools.reload", "watchfiles", "requirements-dev.txt"),
    ],
)
def test_one_sentence_says_what_to_install(
    arguments: str, package: str, file: str, tmp_path: Path
) -> None:
    for language, said in (
        ("en", f"error: {package} is not installed: run `pip install -r {file}`\n"),
        ("zh", f"错误：没有安装 {package}：请运行 `pip install -r {file}`\n"),
    ):
        done = run_without_packages(*arguments.split(), "--lang", language)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


def test_a_package_of_what_is_imported_fails_as_ever() -> None:
    with pytest.raises(ModuleNotFoundError), packages_needed("export.shipped"):
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")
    with pytest.raises(ModuleNotFoundError), packages_needed():
        raise ModuleNotFoundError("No module named 'model.none'", name="model.none")
