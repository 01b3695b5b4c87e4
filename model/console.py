"""What the commands print: in the person's language, on any console, and never in vain.

The locale's language where the console can show it, else English; `--lang` decides otherwise.
What a console cannot show is escaped, and one that has gone (`| head`, a full disk) is written
to no more: work that takes minutes never ends because a line could not be printed.
"""

from __future__ import annotations

import errno
import io
import locale
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from languages import LANGUAGES, PLAIN, language_of_locale, texts
from model.errors import InputError

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set counts
_REQUIREMENTS = ("requirements.txt", "requirements-dev.txt")
_ROOT = Path(__file__).parents[1]
_OURS = ("languages", "model", "export", "ui", "deploy", "bench", "tools")


def locale_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the person's locale."""
    stated = next((environment[name] for name in _VARIABLES if environment.get(name)), None)
    name = stated or locale.getlocale()[0] or ""  # Windows sets none of the variables
    return language_of_locale(name)


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
    language = locale_language()
    return language if _shows(language, sys.stdout) else PLAIN


@contextmanager
def packages_needed(module: str = "__main__") -> Iterator[None]:
    """End a command by a sentence that says what to install, if a package is missing inside.

    module: `__name__`. What is imported by another module, not run, fails as ever.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if module != "__main__" or (error.name or "").partition(".")[0] in _OURS:
            raise
        sys.exit(Console.of(None).lacks(error))


class Console:
    """Where a command prints, in one language."""

    def __init__(self, language: str = PLAIN) -> None:
        self.language = language
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")

    @classmethod
    def of(cls, arguments: Sequence[str] | None) -> Console:
        """The console of a command that was given `arguments` (None: the process's own)."""
        return cls(chosen_language(sys.argv[1:] if arguments is None else arguments))

    def text(self, key: str, /, **values: object) -> str:
        """The text `key` of `languages/*/commands/*.json`, in the person's language.

        key: `<file>.<name>`; values: what stands in its braces.
        """
        template: str = texts(self.language, f"commands/{key.partition('.')[0]}")[key]
        return template.format(**values)

    def say(self, key: str, /, **values: object) -> None:
        """Print a text."""
        self.write(self.text(key, **values))

    def write(self, line: str) -> None:
        """Print what reads the same in every language."""
        _write(sys.stdout, line)

    def complain(self, key: str, /, **values: object) -> None:
        """Print a text to standard error."""
        _write(sys.stderr, self.text(key, **values))

    def lacks(self, error: ModuleNotFoundError) -> int:
        """Say which package is missing and what installs it; the exit status."""
        package = (error.name or str(error)).partition(".")[0]
        install = f"`pip install -r {_file_that_names(package)}`"
        self.complain("console.lacks", package=package, install=install)
        return 1

    def refuse(self, error: InputError | OSError | KeyboardInterrupt) -> int:
        """Say what ended the command; its exit status."""
        if isinstance(error, KeyboardInterrupt):
            self.complain("console.stopped")
            return 130  # as a shell says it
        if isinstance(error, InputError):
            self.complain("console.error", error=error.text(self.language))
            return 2
        self.complain(
            "console.file_error",
            file=f" ({error.filename})" if error.filename else "",
            reason=self._reason(error),
        )
        return 1

    def _reason(self, error: OSError) -> str:
        """What the system says of a file: it does so in English, whatever the language."""
        name = errno.errorcode.get(error.errno or 0, "")
        said: str | None = texts(self.language, "commands/reasons").get(name)
        return said or error.strerror or str(error)


def _file_that_names(package: str | None) -> str:
    """The requirements that bring `package`; the first file if none names it."""
    for file in _REQUIREMENTS[1:]:
        if f"\n{package}==" in f"\n{(_ROOT / file).read_text(encoding='utf-8')}":
            return file
    return _REQUIREMENTS[0]


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


def _shows(language: str, stream: TextIO | None) -> bool:
    """Whether a console can print the language's own name."""
    try:
        name: str = texts(language, "language")["name"]
        name.encode(getattr(stream, "encoding", None) or "utf-8")
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
