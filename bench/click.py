"""`python -m bench.click`: the time from a click on a word to the updated page, and an empty event.

The empty event is a Gradio button whose unqueued Python function returns one short text. Both
pages are open in one browser and are clicked in turn; a click ends with the last change of its
page's DOM. Needs Chromium at /usr/bin/chromium, or its path in CHROMIUM.
"""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any

from bench.commands import run
from bench.pages import EMPTY, PAGE, browser, served
from model.console import Console, packages_needed

CLICKS = 30
WARM_UP = 4
QUIET_MS = 150
"""The page is finished when its DOM has not changed for so long. The comparison of the engines is
not included: the page requests it 250 ms after the last click."""

# Clicks `selector`; resolves to the milliseconds until the last change in `watched` before QUIET_MS
# of none.
_CLICK = """
([selector, quiet, watched]) => new Promise((resolve) => {
  const started = performance.now();
  let last = null;
  let timer = null;
  const end = () => { observer.disconnect(); resolve(last - started); };
  const observer = new MutationObserver(() => {
    last = performance.now();
    clearTimeout(timer);
    timer = setTimeout(end, quiet);
  });
  observer.observe(document.querySelector(watched),
    { subtree: true, childList: true, attributes: true, characterData: true });
  document.querySelector(selector).click();
})
"""


def main(arguments: list[str] | None = None) -> None:
    """Measure and print the medians and their ratio."""
    run("bench.click_describe", arguments, _print)


def _print(console: Console, _: argparse.Namespace) -> None:
    medians = _medians()
    for name, value in medians.items():
        what = console.text(f"bench.{name.replace(' ', '_')}")
        console.say("bench.click_line", what=what, value=value, count=CLICKS)
    ratio = medians["word"] / medians["empty event"]
    console.say("bench.ratio", ratio=ratio)


def _medians() -> dict[str, float]:
    with browser() as chromium, served(PAGE) as page_port, served(EMPTY) as empty_port:
        page, empty = (chromium.new_page() for _ in range(2))
        page.goto(f"http://127.0.0.1:{page_port}/?tokens=0-1")
        page.get_by_text("0.4835").nth(1).wait_for(state="attached")
        empty.goto(f"http://127.0.0.1:{empty_port}/")
        empty.locator("#nothing").wait_for()
        page.wait_for_timeout(5_000)  # PyTorch is being imported in the background
        taken: dict[str, list[float]] = {"empty event": [], "word": []}
        for turn in range(CLICKS + WARM_UP):
            figures = {
                "empty event": clicked(empty, "#nothing"),
                # 喜欢 and 我 in turn: every second click gives prompt A again.
                "word": clicked(page, f".mg-word:nth-of-type({1 + (turn + 1) % 2})"),
            }
            if turn >= WARM_UP:
                for name, figure in figures.items():
                    taken[name].append(figure)
    return {name: median(values) for name, values in taken.items()}


def clicked(page: Any, selector: str, watched: str = "body") -> float:
    """Milliseconds from a click on `selector` to the last change of the DOM in `watched`."""
    page.bring_to_front()
    return float(page.evaluate(_CLICK, [selector, QUIET_MS, watched]))


if __name__ == "__main__":
    with packages_needed():
        main()
