"""`python -m bench.film_frames`: frames of the film on the map, and of an empty page's animation.

Both pages are open in one browser and are measured in turn, each for the film's whole length: the
gaps between requestAnimationFrame's calls. The empty page moves one square. Needs Chromium at
/usr/bin/chromium, or its path in CHROMIUM.
"""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any

from bench.commands import run
from bench.pages import PAGE, browser, served
from model.console import Console, packages_needed

ROUNDS = 3
MILLISECONDS = 25_000  # the film's length at normal speed
LIMIT_MS = 20  # a frame at 60 Hz takes 16.7
_NAMES = {"animation": "bench.film_frames_animation", "film": "bench.film_frames_film"}
SETTLE_MS = 5_000  # PyTorch is being imported in the background

# Resolves to the gaps between frames, in milliseconds, for so long.
_GAPS = """
(milliseconds) => new Promise((resolve) => {
  const gaps = [];
  let first = null;
  let last = null;
  const frame = (now) => {
    if (last !== null) gaps.push(now - last);
    first ??= now;
    last = now;
    if (now - first < milliseconds) requestAnimationFrame(frame);
    else resolve(gaps);
  };
  requestAnimationFrame(frame);
})
"""
_ONE_ANIMATION = """
() => {
  document.body.replaceChildren();
  const square = document.createElement("div");
  square.style.cssText = "width: 40px; height: 40px; background: teal; will-change: transform";
  document.body.append(square);
  const way = [{ transform: "none" }, { transform: "translateX(600px)" }];
  square.animate(way, { duration: 1000, iterations: Infinity, direction: "alternate" });
}
"""
_PLAY = 'document.querySelector(".mg-film-open-button").click()'
_CLOSE = 'document.querySelector(".mg-film-close").click()'


def main(arguments: list[str] | None = None) -> None:
    """Measure in turn, and print the medians and their difference."""
    run("bench.film_frames_describe", arguments, _print)


def _print(console: Console, _: argparse.Namespace) -> None:
    taken = _gaps()
    late = {}
    for name, rounds in taken.items():
        late[name] = median(share_late(gaps) for gaps in rounds)
        rate = median(1000 * len(gaps) / sum(gaps) for gaps in rounds)
        what = console.text(_NAMES[name])
        console.say(
            "bench.film_frames_line",
            what=what,
            late=late[name],
            limit=LIMIT_MS,
            rate=rate,
            count=ROUNDS,
        )
    console.say("bench.film_frames_more", points=late["film"] - late["animation"])


def share_late(gaps: list[float]) -> float:
    """The percentage of gaps (ms) over LIMIT_MS."""
    return 100 * sum(gap > LIMIT_MS for gap in gaps) / len(gaps)


def _gaps() -> dict[str, list[list[float]]]:
    """The gaps of each round, in ms, of the empty page and of the film."""
    taken: dict[str, list[list[float]]] = {"animation": [], "film": []}
    with browser() as chromium, served(PAGE) as port:
        page, empty = (chromium.new_page() for _ in range(2))
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator(".mg-film-open-button:enabled").wait_for()
        empty.evaluate(_ONE_ANIMATION)
        page.wait_for_timeout(SETTLE_MS)
        for _ in range(ROUNDS):
            taken["animation"].append(_watched(empty))
            page.evaluate(_PLAY)
            taken["film"].append(_watched(page))
            page.evaluate(_CLOSE)
    return taken


def _watched(page: Any) -> list[float]:
    page.bring_to_front()
    gaps: list[float] = page.evaluate(_GAPS, MILLISECONDS)
    return gaps


if __name__ == "__main__":
    with packages_needed():
        main()
