"""`python -m bench.start`: the time from the command to the first numbers, and an empty page.

The browser is already open; a start ends when the page's probabilities (or the empty page's
button) are visible. Needs Chromium at /usr/bin/chromium, or its path in CHROMIUM.
"""

from __future__ import annotations

import argparse
import time
from statistics import median
from typing import Any

from bench.commands import run
from bench.pages import EMPTY, PAGE, browser, starting
from model.console import Console, packages_needed

STARTS = 9
_SEEN = {PAGE: ".mg-bars .mg-probability", EMPTY: "#nothing"}


def main(arguments: list[str] | None = None) -> None:
    """Measure in turn, and print the medians and their ratio."""
    run("bench.start_describe", arguments, _print)


def _print(console: Console, _: argparse.Namespace) -> None:
    medians = _medians()
    for what, middle in medians.items():
        console.say("bench.start_line", what=what, value=middle, count=STARTS)
    ratio = medians[PAGE] / medians[EMPTY]
    console.say("bench.ratio", ratio=ratio)


def _medians() -> dict[str, float]:
    taken: dict[str, list[float]] = {EMPTY: [], PAGE: []}
    with browser() as chromium:
        for turn in range(STARTS + 1):
            for what, seconds in taken.items():
                figure = _started(chromium, what)
                if turn:  # the first one reads all files from disk
                    seconds.append(figure)
    return {what: median(seconds) for what, seconds in taken.items()}


def _started(chromium: Any, what: str) -> float:
    page = chromium.new_page()
    started = time.perf_counter()
    with starting(what) as server:
        server.wait()
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.locator(_SEEN[what]).first.wait_for()
        seconds = time.perf_counter() - started
        page.close()
    return seconds


if __name__ == "__main__":
    with packages_needed():
        main()
