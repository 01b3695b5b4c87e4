"""How the page is started: `python app.py --help`.

Every option has an environment variable too, since a Space or a container is set up by those;
the command line wins.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from model.command_line import Parser
from model.console import Console

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

    def port(text: str) -> int:
        number = parser.count(text)
        if number > _HIGHEST_PORT:
            raise argparse.ArgumentTypeError(
                console.text(
                    f"a port is 1 to {_HIGHEST_PORT}, got {text!r}",
                    f"端口是 1 到 {_HIGHEST_PORT} 之间的整数，现在是 {text!r}",
                )
            )
        return number

    def add(
        name: str, variable: str, default: str, kind: Callable[[str], object], en: str, zh: str
    ) -> None:
        # argparse reads a default that is text the way it reads the command line.
        parser.add_argument(
            f"--{name}",
            type=kind,
            default=environment.get(variable) or default,
            metavar=name.rpartition("-")[2].upper(),
            help=console.text(
                f"{en} (default {default or 'none'}) [{variable}]",
                f"{zh}（默认 {default or '没有'}）[{variable}]",
            ),
        )

    host, count = _EVERYWHERE if on_space else _HERE, parser.count
    for name, variable, default, kind, en, zh in (
        (
            "host",
            "GRADIO_SERVER_NAME",
            host,
            str,
            "address to listen on; 0.0.0.0 is every one",
            "监听的地址；0.0.0.0 是所有地址",
        ),
        ("port", "GRADIO_SERVER_PORT", "7860", port, "port to listen on", "监听的端口"),
        (
            "root-path",
            "GRADIO_ROOT_PATH",
            "",
            _root_path,
            "sub-path a proxy serves the page on",
            "代理把页面放在哪个子路径",
        ),
        (
            "threads",
            "MINI_GPT_THREADS",
            "4",
            count,
            "calls computed at the same time",
            "同时计算的请求数",
        ),
        (
            "waiting",
            "MINI_GPT_WAITING",
            "64",
            count,
            "calls in line; more are refused",
            "排队的请求数，再多就拒绝",
        ),
        (
            "body-kb",
            "MINI_GPT_BODY_KB",
            "1024",
            count,
            "largest request in KiB",
            "最大的请求，单位 KiB",
        ),
        (
            "sessions",
            "MINI_GPT_SESSIONS",
            "100",
            count,
            "API sessions whose state is kept",
            "保留状态的 API 会话数",
        ),
        (
            "trainings",
            "MINI_GPT_TRAININGS",
            "1",
            count,
            "trainings at once; more wait in line",
            "同时进行的训练数，其余排队",
        ),
    ):
        add(name, variable, default, kind, en, zh)
    return parser


def _root_path(text: str) -> str:
    """`gpt`, `/gpt` and `/gpt/` mean the same; an address is kept."""
    if text.startswith(("http://", "https://")):
        return text.rstrip("/")
    inner = text.strip("/")
    return f"/{inner}" if inner else ""
