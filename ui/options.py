"""The options of `python app.py`; `--help` lists them.

Each option also has an environment variable, since Spaces and containers are configured by
those; the command line takes precedence.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from model.command_line import Parser
from model.console import Console

_ALL_INTERFACES, _LOOPBACK = "0.0.0.0", "127.0.0.1"
_HIGHEST_PORT = 65_535


@dataclass(frozen=True)
class Options:
    """Where the page is served, and its limits.

    root_path: the sub-path a proxy serves the page on (`/gpt`), or its full URL; "" for none.
    threads: calls computed at the same time.
    waiting: calls in progress or in the queue; more are refused with a message.
    body_kb: the largest request in KiB.
    sessions: API sessions whose state Gradio keeps (about 90 KB each).
    trainings: training jobs that run at the same time; the others wait in the queue.
    """

    host: str
    port: int
    root_path: str
    threads: int
    waiting: int
    body_kb: int
    sessions: int
    trainings: int


def read_options(
    arguments: Sequence[str],
    environment: Mapping[str, str] = os.environ,
    console: Console | None = None,
) -> Options:
    """Options from the command line and the environment; an invalid one exits with status 2."""
    given = vars(_parser(environment, console or Console()).parse_args(arguments))
    return Options(**{name: value for name, value in given.items() if name != "lang"})


def _parser(environment: Mapping[str, str], console: Console) -> Parser:
    text = console.text
    parser = Parser(
        console,
        prog="python app.py",
        description=text("app.describe"),
        epilog=text("app.epilog"),
    )
    on_space = "SPACE_ID" in environment

    def port(typed: str) -> int:
        number = parser.count(typed)
        if number > _HIGHEST_PORT:
            said = text("app.port", highest=_HIGHEST_PORT, typed=typed)
            raise argparse.ArgumentTypeError(said)
        return number

    def add(name: str, variable: str, default: str, kind: Callable[[str], object]) -> None:
        said = text(f"app.help_{name.replace('-', '_')}")
        shown = default or text("app.none")
        # argparse converts and checks a string default just as it does a typed value.
        parser.add_argument(
            f"--{name}",
            type=kind,
            default=environment.get(variable) or default,
            metavar=name.rpartition("-")[2].upper(),
            help=text("app.help_variable", help=said, default=shown, variable=variable),
        )

    count = parser.count
    add("host", "GRADIO_SERVER_NAME", _ALL_INTERFACES if on_space else _LOOPBACK, str)
    add("port", "GRADIO_SERVER_PORT", "7860", port)
    add("root-path", "GRADIO_ROOT_PATH", "", _root_path)
    add("threads", "MINI_GPT_THREADS", "4", count)
    add("waiting", "MINI_GPT_WAITING", "64", count)
    add("body-kb", "MINI_GPT_BODY_KB", "1024", count)
    add("sessions", "MINI_GPT_SESSIONS", "100", count)
    add("trainings", "MINI_GPT_TRAININGS", "1", count)
    return parser


def _root_path(text: str) -> str:
    """`gpt`, `/gpt` and `/gpt/` give `/gpt`; a URL is kept, without its last slash."""
    if text.startswith(("http://", "https://")):
        return text.rstrip("/")
    inner = text.strip("/")
    return f"/{inner}" if inner else ""
