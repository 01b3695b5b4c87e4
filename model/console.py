"""What the commands print: in the person's language, on any console, and never in vain.

Chinese where the locale is Chinese and the console can show it, else English; `--lang` decides
otherwise. What a console cannot show is escaped, and one that has gone (`| head`, a full disk)
is written to no more: work that takes minutes never ends because a line could not be printed.
"""

from __future__ import annotations

import argparse
import io
import locale
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TextIO

from model.errors import LANGUAGES, InputError

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set counts
_CHINESE = ("zh", "chinese")  # Windows says "Chinese (Simplified)_China"

# What argparse says of a wrong command line, and the same in Chinese.
_USAGE = {
    r"the following arguments are required: (.*)": r"缺少参数：\1",
    r"one of the arguments (.*) is required": r"下列参数必须给一个：\1",
    r"unrecognized arguments: (.*)": r"不认识的参数：\1",
    r"argument (.*?): invalid (?:int|float) value: (.*)": r"参数 \1 应该是数，现在是 \2",
    r"argument (.*?): invalid choice: (.*?) \(choose from (.*)\)": r"参数 \1 不能是 \2，只能是 \3",
    r"argument (.*?): expected (?:one|at least one) argument": r"参数 \1 后面要有一个值",
    r"argument (.*?): not allowed with argument (.*)": r"参数 \1 不能和 \2 一起用",
    r"argument (.*?): must be a whole number of at least 1, got (.*)": (
        r"参数 \1 必须是不小于 1 的整数，现在是 \2"
    ),
    r"argument (.*?): a port is 1 to (.*), got (.*)": (
        r"参数 \1：端口是 1 到 \2 之间的整数，现在是 \3"
    ),
    r"ambiguous option: (.*?) could match (.*)": r"参数 \1 不明确，可能是 \2",
    r"argument (.*?): ignored explicit argument (.*)": r"参数 \1 不带值，现在给了 \2",
}


def locale_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the person's locale, "zh" or "en"."""
    stated = next((environment[name] for name in _VARIABLES if environment.get(name)), None)
    name = stated or locale.getlocale()[0] or ""  # Windows sets none of the variables
    return "zh" if name.lower().startswith(_CHINESE) else "en"


def chosen_language(arguments: Sequence[str]) -> str:
    """What `--lang` says in `arguments`, or else the locale, if the console can show it.

    Read before the command line is parsed: its own errors are in this language too.
    """
    for at, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            value = value or (arguments[at + 1] if at + 1 < len(arguments) else "")
            if value in LANGUAGES:
                return value
    return locale_language() if _shows_chinese(sys.stdout) else "en"


class Console:
    """Where a command prints, in one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")

    @classmethod
    def of(cls, arguments: Sequence[str] | None) -> Console:
        """The console of a command that was given `arguments` (None: the process's own)."""
        return cls(chosen_language(sys.argv[1:] if arguments is None else arguments))

    def text(self, en: str, zh: str) -> str:
        """Whichever is the person's."""
        return zh if self.language == "zh" else en

    def say(self, en: str, zh: str | None = None) -> None:
        """Print a line; one text if it is the same in both languages."""
        _write(sys.stdout, self.text(en, en if zh is None else zh))

    def complain(self, en: str, zh: str) -> None:
        """Print a line to standard error."""
        _write(sys.stderr, self.text(en, zh))

    def refuse(self, error: InputError | OSError | KeyboardInterrupt) -> int:
        """Say what ended the command; its exit status."""
        if isinstance(error, KeyboardInterrupt):
            self.complain("stopped", "已停止")
            return 130  # as a shell says it
        if isinstance(error, InputError):
            self.complain(f"error: {error}", f"错误：{error.text('zh')}")
            return 2
        file = f" ({error.filename})" if error.filename else ""
        reason = error.strerror or str(error)
        self.complain(
            f"error: a file can't be read or written{file}: {reason}",
            f"错误：文件读不了或写不了{file}：{reason}",
        )
        return 1


class Parser(argparse.ArgumentParser):
    """A command line whose errors are in the console's language; it brings `--lang`."""

    def __init__(self, console: Console, **options: Any) -> None:
        super().__init__(**options)
        self._console = console
        self.add_argument(
            "--lang",
            choices=LANGUAGES,
            default=argparse.SUPPRESS,  # it has been read already
            help=console.text("language of the messages", "消息用什么语言"),
        )

    def error(self, message: str) -> NoReturn:
        """End the process with 2 and what is wrong."""
        if self._console.language == "zh":
            for english, chinese in _USAGE.items():
                message = re.sub(f"^{english}$", chinese, message)
            self.exit(2, f"{self.format_usage()}{self.prog}：{message}\n")
        super().error(message)

    def add_commands(self, **options: Any) -> argparse._SubParsersAction[Parser]:
        """Subcommands with the same console."""
        console = self._console

        def parser(**settings: Any) -> Parser:
            return Parser(console, **settings)

        return self.add_subparsers(parser_class=parser, **options)  # type: ignore[call-overload,no-any-return]


def check_folder(folder: Path) -> None:
    """Make `folder` and a file in it, before the work whose result it is to hold.

    Raises:
        OSError: it can't be made or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / f".written-{os.getpid()}"
    try:
        probe.write_bytes(b"\0")
    finally:
        probe.unlink(missing_ok=True)


def _shows_chinese(stream: TextIO | None) -> bool:
    try:
        "中文".encode(getattr(stream, "encoding", None) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _write(stream: TextIO | None, line: str) -> None:
    try:
        print(line, file=stream, flush=True)
    except (OSError, ValueError):  # nobody reads on, the disk is full, the stream is closed
        _silence(stream)


def _silence(stream: TextIO | None) -> None:
    """Let what is still in the stream's buffer go nowhere: Python writes it at the end again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        return
