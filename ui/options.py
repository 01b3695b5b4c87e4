"""How the page is started: `python app.py --help`.

Every option has an environment variable too, since a Space or a container is set up by those;
the command line wins.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.console import Console, Parser

_EVERYWHERE, _HERE = "0.0.0.0", "127.0.0.1"
_HIGHEST_PORT = 65_535


@dataclass(frozen=True)
class Options:
    """Where the page is served, and its caps.

    root_path: the sub-path a proxy serves the page on (`/gpt`), or its full address; "" is none.
    threads: calls computed at the same time.
    waiting: calls under way or in line; any more are refused with a message.
    body_kb: the largest request in KiB.
    sessions: API sessions of which Gradio keeps the state (about 90 KB each).
    trainings: people's trainings that run at the same time; the others wait in line.
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
    """Options from the command line and the environment; wrong ones end the process with 2."""
    given = vars(_parser(environment, console or Console()).parse_args(arguments))
    return Options(**{name: value for name, value in given.items() if name != "lang"})


def _parser(environment: Mapping[str, str], console: Console) -> Parser:
    parser = Parser(
        console,
        prog="python app.py",
        description=console.text("Serve MiniGPT's page.", "启动 MiniGPT 的页面。"),
        epilog=console.text(
            "The variable in brackets sets an option too; the command line wins.",
            "方括号里的环境变量也能设置同一项；以命令行为准。",
        ),
    )
    on_space = "SPACE_ID" in environment

    def add(name: str, variable: str, default: str, kind: type | object, explained: str) -> None:
        # argparse reads a default that is text the way it reads the command line.
        parser.add_argument(
            f"--{name}",
            type=kind,  # type: ignore[arg-type]
            default=environment.get(variable) or default,
            metavar=name.rpartition("-")[2].upper(),
            help=f"{explained} (default {default or 'none'}) [{variable}]",
        )

    host = _EVERYWHERE if on_space else _HERE
    add("host", "GRADIO_SERVER_NAME", host, str, "address to listen on; 0.0.0.0 is every one")
    add("port", "GRADIO_SERVER_PORT", "7860", _port, "port to listen on")
    add("root-path", "GRADIO_ROOT_PATH", "", _root_path, "sub-path a proxy serves the page on")
    add("threads", "MINI_GPT_THREADS", "4", _count, "calls computed at the same time")
    add("waiting", "MINI_GPT_WAITING", "64", _count, "calls in line; more are refused")
    add("body-kb", "MINI_GPT_BODY_KB", "1024", _count, "largest request in KiB")
    add("sessions", "MINI_GPT_SESSIONS", "100", _count, "API sessions whose state is kept")
    add("trainings", "MINI_GPT_TRAININGS", "1", _count, "trainings at once; more wait in line")
    return parser


def _port(text: str) -> int:
    port = _count(text)
    if port > _HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"a port is 1 to {_HIGHEST_PORT}, got {text!r}")
    return port


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return int(text)


def _root_path(text: str) -> str:
    """`gpt`, `/gpt` and `/gpt/` mean the same; an address is kept."""
    if text.startswith(("http://", "https://")):
        return text.rstrip("/")
    inner = text.strip("/")
    return f"/{inner}" if inner else ""
