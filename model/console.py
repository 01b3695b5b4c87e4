"""What the commands print: in the user's language, on any console.

The language is the locale's if the console can show it, else English; `--lang` overrides it.
Characters that a console cannot show are escaped, and after a failed write (`| head`, a full
disk) nothing more is written: a failing print never ends work that takes minutes.
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
    """The language of the user's locale."""
    stated = next((environment[name] for name in _VARIABLES if environment.get(name)), None)
    name = stated or locale.getlocale()[0] or ""  # Windows sets none of the variables
    return language_of_locale(name)


def chosen_language(arguments: Sequence[str]) -> str:
    """The value of `--lang` in `arguments`, else the locale's language, else English.

    A locale's language counts only if the console can show it. Read before the command line is
    parsed, because the parser's errors are in this language too.
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
    """If a package is missing inside, end the command with a message that says what to install.

    module: the caller's `__name__`. In a module that is imported, not run, the error is raised
    as usual.
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
        """The console of a command with these `arguments` (None: the process's own)."""
        return cls(chosen_language(sys.argv[1:] if arguments is None else arguments))

    def text(self, key: str, /, **values: object) -> str:
        """The text `key` of `languages/*/commands/*.json`, in the user's language.

        key: `<file>.<name>`; values: for its placeholders.
        """
        template: str = texts(self.language, f"commands/{key.partition('.')[0]}")[key]
        return template.format(**values)

    def say(self, key: str, /, **values: object) -> None:
        """Print a text."""
        self.write(self.text(key, **values))

    def write(self, line: str) -> None:
        """Print a line that is the same in every language."""
        _write(sys.stdout, line)

    def complain(self, key: str, /, **values: object) -> None:
        """Print a text to standard error."""
        _write(sys.stderr, self.text(key, **values))

    def lacks(self, error: ModuleNotFoundError) -> int:
        """Print which package is missing and what installs it; return the exit status."""
        package = (error.name or str(error)).partition(".")[0]
        install = f"`pip install -r {_file_that_names(package)}`"
        self.complain("console.lacks", package=package, install=install)
        return 1

    def refuse(self, error: InputError | OSError | KeyboardInterrupt) -> int:
        """Print what ended the command; return its exit status."""
        if isinstance(error, KeyboardInterrupt):
            self.complain("console.stopped")
            return 130  # as shells report SIGINT
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
        """The reason of a file error: translated if known, else the system's English message."""
        name = errno.errorcode.get(error.errno or 0, "")
        said: str | None = texts(self.language, "commands/reasons").get(name)
        return said or error.strerror or str(error)


def _file_that_names(package: str | None) -> str:
    """The requirements file that lists `package`; the first file if none does."""
    for file in _REQUIREMENTS[1:]:
        if f"\n{package}==" in f"\n{(_ROOT / file).read_text(encoding='utf-8')}":
            return file
    return _REQUIREMENTS[0]


def check_folder(folder: Path) -> None:
    """Create `folder` and check that it is writable, before the work whose result goes there.

    Raises:
        OSError: it can't be created or written to.
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
    except (OSError, ValueError):  # a closed pipe, a full disk, a closed stream
        _silence(stream)


def _silence(stream: TextIO | None) -> None:
    """Redirect the stream to the null device: Python flushes its buffer once more at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        return
