"""What the benchmarks' command lines and loops have in common."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Mapping

from model.command_line import Parser
from model.config import check_size
from model.console import Console
from model.errors import InputError

Work = Callable[[Console, argparse.Namespace], None]


def run(describe: str, arguments: list[str] | None, work: Work, rounds: int | None = None) -> None:
    """The command line of `python -m bench.NAME`, which calls `work`.

    describe: the key of its description, `bench.NAME_describe`. rounds: the default of
    `--rounds`; None for a benchmark without options.
    """
    console = Console.of(arguments)
    name = describe.removeprefix("bench.").removesuffix("_describe")
    parser = Parser(console, prog=f"python -m bench.{name}", description=console.text(describe))
    if rounds is not None:
        told = console.text(f"bench.{name}_help_rounds")
        parser.add_argument("--rounds", type=parser.whole_number, default=rounds, help=told)
    options = parser.parse_args(arguments)
    try:
        if rounds is not None:
            check_size("rounds", options.rounds)
        work(console, options)
    except (InputError, KeyboardInterrupt) as error:
        sys.exit(console.refuse(error))


def in_turn(
    contenders: Mapping[str, Callable[[], object]], rounds: int, warm_up: int
) -> dict[str, float]:
    """Median seconds of each contender, one after the other in every round.

    warm_up: rounds before those that count.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(warm_up + rounds):
        for name, contender in contenders.items():
            started = time.perf_counter()
            contender()
            seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(taken[warm_up:]) for name, taken in seconds.items()}
