"""`python -m bench.start`: from the command to the first page with numbers, beside an empty page.

The browser is open before; a start ends when the last of what is waited for is seen in it. Needs
Chromium at /usr/bin/chromium, or its path in CHROMIUM.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Any

from bench.pages import EMPTY, PAGE, browser, starting, wait_for
from model.console import Console, Parser

STARTS = 9
_SEEN = {PAGE: ".mg-bars .mg-probability", EMPTY: "#nothing"}


def main(arguments: list[str] | None = None) -> None:
    """Measure in turn, and print the medians and their ratio."""
    console = Console.of(arguments)
    Parser(console, prog="python -m bench.start", description=__doc__).parse_args(arguments)
    taken: dict[str, list[float]] = {EMPTY: [], PAGE: []}
    with browser() as chromium:
        for turn in range(STARTS + 1):
            for what, seconds in taken.items():
                figure = _started(chromium, what)
                if turn:  # the first one reads every file from the disk
                    seconds.append(figure)
    medians = {what: median(seconds) for what, seconds in taken.items()}
    for what, middle in medians.items():
        console.say(f"{what}: {middle:.2f} s (median of {STARTS})")
    console.say(f"ratio: {medians[PAGE] / medians[EMPTY]:.2f}")


def _started(chromium: Any, what: str) -> float:
    page = chromium.new_page()
    started = time.perf_counter()
    with starting(what) as port:
        wait_for(port)
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator(_SEEN[what]).first.wait_for()
        seconds = time.perf_counter() - started
        page.close()
    return seconds


if __name__ == "__main__":
    main()
