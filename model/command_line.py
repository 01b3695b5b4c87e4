"""The command-line parser: help and errors in the user's language, numbers as on the page."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from functools import partial
from typing import Any, NoReturn

from languages import LANGUAGES, texts
from model.console import Console
from model.errors import InputError
from model.typed_numbers import LONGEST, TypedNumber, read_number


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that keeps the description's line breaks, with "usage" in the user's language."""

    def __init__(self, prog: str, usage: str) -> None:
        super().__init__(prog)
        self._usage_prefix = usage

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, self._usage_prefix if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """An argument parser in the console's language, with `--help` and `--lang`."""

    def __init__(self, console: Console, **options: Any) -> None:
        formatter = partial(_Help, usage=console.text("console.usage"))
        super().__init__(**{"formatter_class": formatter, **options, "add_help": False})
        self._console = console
        self._positionals.title = console.text("console.arguments")
        self._optionals.title = console.text("console.options")
        self.add_argument("-h", "--help", action="help", help=console.text("console.help_help"))
        self.add_argument(
            "--lang",
            choices=LANGUAGES,
            default=argparse.SUPPRESS,  # `chosen_language` has read it already
            help=console.text("console.help_lang"),
        )

    def error(self, message: str) -> NoReturn:
        """Print the usage and what is wrong; exit with status 2."""
        # argparse has English messages only: each is translated by the first matching pattern.
        for english, own in texts(self._console.language, "commands/usage").items():
            if re.fullmatch(english, message):
                message = re.sub(f"^{english}$", own, message)
                break
        said = self._console.text("console.wrong_usage", program=self.prog, message=message)
        self.exit(2, f"{self.format_usage()}{said}\n")

    def add_commands(self, **options: Any) -> argparse._SubParsersAction[Parser]:
        """Subcommands with the same console."""
        console = self._console

        def parser(**settings: Any) -> Parser:
            return Parser(console, **settings)

        return self.add_subparsers(parser_class=parser, **options)  # type: ignore[call-overload,no-any-return]

    def number(self, text: str) -> float:
        """The `type` of an option: a number, parsed like the page's input fields."""
        return float(self._typed(text, "console.number").value)

    def whole_number(self, text: str) -> int:
        """The same for a whole number."""
        typed = self._typed(text, "console.whole_number").value
        if isinstance(typed, float) and not typed.is_integer():
            self._refuse(text, "console.whole_number")
        return int(typed)

    def count(self, text: str) -> int:
        """The same for a whole number of at least 1."""
        number = self.whole_number(text)
        if number < 1:
            self._refuse(text, "console.count")
        return number

    def _typed(self, text: str, expected: str) -> TypedNumber:
        try:
            typed = read_number(text)
        except InputError as error:
            reason = error.text(self._console.language)
            raise argparse.ArgumentTypeError(reason) from error
        return typed or self._refuse(text, expected)

    def _refuse(self, text: str, expected: str) -> NoReturn:
        typed = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        raise argparse.ArgumentTypeError(self._console.text(expected, typed=typed))
