"""The command lines: their help and their errors in the person's language, numbers as typed."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from typing import Any, NoReturn

from model.console import Console
from model.errors import LANGUAGES, InputError
from model.typed_numbers import LONGEST, TypedNumber, read_number

# What argparse says of a wrong command line, and the same in Chinese.
_USAGE = {
    r"the following arguments are required: (.*)": r"缺少参数：\1",
    r"one of the arguments (.*) is required": r"下列参数必须给一个：\1",
    r"unrecognized arguments: (.*)": r"不认识的参数：\1",
    r"argument (.*?): invalid choice: (.*?) \(choose from (.*)\)": r"参数 \1 不能是 \2，只能是 \3",
    r"argument (.*?): expected (?:one|at least one) argument": r"参数 \1 后面要有一个值",
    r"argument (.*?): not allowed with argument (.*)": r"参数 \1 不能和 \2 一起用",
    r"ambiguous option: (.*?) could match (.*)": r"参数 \1 不明确，可能是 \2",
    r"argument (.*?): ignored explicit argument (.*)": r"参数 \1 不带值，现在给了 \2",
    r"argument (.*?): (.*)": r"参数 \1：\2",  # the rest of it is Chinese already
}


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help whose description keeps its lines."""


class _ChineseHelp(_Help):
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, "用法：" if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """A command line in the console's language; it brings `--help` and `--lang`."""

    def __init__(self, console: Console, **options: Any) -> None:
        formatter = _ChineseHelp if console.language == "zh" else _Help
        super().__init__(**{"formatter_class": formatter, **options, "add_help": False})
        self._console = console
        self._positionals.title = console.text("positional arguments", "参数")
        self._optionals.title = console.text("options", "选项")
        self.add_argument(
            "-h", "--help", action="help", help=console.text("show this help", "显示这份说明")
        )
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

    def number(self, text: str) -> float:
        """The `type` of an option: a number as every field of the page reads it."""
        return float(self._typed(text, "must be a number", "应该是数").value)

    def whole_number(self, text: str) -> int:
        """The same of a whole number."""
        typed = self._typed(text, "must be a whole number", "应该是整数").value
        if isinstance(typed, float) and not typed.is_integer():
            self._refuse(text, "must be a whole number", "应该是整数")
        return int(typed)

    def count(self, text: str) -> int:
        """The same of a whole number of at least 1."""
        number = self.whole_number(text)
        if number < 1:
            self._refuse(text, "must be a whole number of at least 1", "必须是不小于 1 的整数")
        return number

    def _typed(self, text: str, en: str, zh: str) -> TypedNumber:
        try:
            typed = read_number(text)
        except InputError as error:
            reason = error.text(self._console.language)
            raise argparse.ArgumentTypeError(reason) from error
        return typed or self._refuse(text, en, zh)

    def _refuse(self, text: str, en: str, zh: str) -> NoReturn:
        typed = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        said = self._console.text(f"{en}, got {typed!r}", f"{zh}，现在是 {typed!r}")
        raise argparse.ArgumentTypeError(said)
