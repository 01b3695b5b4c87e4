"""`python -m bench.first_visit`: a first visit over a slow line, beside an empty Gradio page.

150 ms latency, 1.6 Mbit/s, nothing cached, HTTP/1.1, a new browser context each time, the pages
in turn. Measured from the start of the navigation: the first probability in the page's bars, the
first word that can be clicked, and the first text of the empty page. Also counted: the requests
and the bytes of the page's own files, as they travel. Needs Chromium at /usr/bin/chromium, or its
path in CHROMIUM.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from bench.commands import run
from bench.pages import EMPTY, PAGE, browser, served
from model.console import Console, packages_needed

VISITS = 7
LATENCY_MS = 150
BYTES_PER_SECOND = 1_600_000 / 8
OWN_FILES = "/web/"
# What is waited for on each page: {name: selector}.
SEEN = {
    PAGE: {"numbers": ".mg-bars .mg-probability", "word": "button.mg-word:enabled"},
    EMPTY: {"text": "#nothing"},
}

# Notes in window.seen, in milliseconds, when each selector first fits something with a text.
_WATCH = """
(selectors) => {
  window.seen = {};
  const look = () => {
    for (const [name, selector] of Object.entries(selectors)) {
      if (!(name in window.seen) && document.querySelector(selector)?.textContent) {
        window.seen[name] = performance.now();
      }
    }
    const isAll = Object.keys(window.seen).length === Object.keys(selectors).length;
    if (!isAll) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


@dataclass
class Visits:
    """Milliseconds by what was seen; requests and bytes of the page's own files by visit."""

    seen: dict[str, list[float]] = field(default_factory=dict)
    requests: list[int] = field(default_factory=list)
    kilobytes: list[float] = field(default_factory=list)


def main(arguments: list[str] | None = None) -> None:
    """Measure in turn, and print the medians and their ratios."""
    run("bench.first_visit_describe", arguments, _print)


def _print(console: Console, _: argparse.Namespace) -> None:
    visits = _visits()
    medians = {name: median(taken) for name, taken in visits.seen.items()}
    text, numbers, word = (medians[name] for name in ("text", "numbers", "word"))
    console.say("bench.first_visit_text", value=text / 1000)
    console.say("bench.first_visit_numbers", value=numbers / 1000, ratio=numbers / text)
    console.say("bench.first_visit_word", value=word / 1000, ratio=word / text)
    console.say(
        "bench.first_visit_files",
        requests=median(visits.requests),
        kilobytes=median(visits.kilobytes),
    )


def _visits() -> Visits:
    visits = Visits()
    with browser() as chromium, served(PAGE) as page_port, served(EMPTY) as empty_port:
        for turn in range(VISITS + 1):
            for what, port in ((EMPTY, empty_port), (PAGE, page_port)):
                seen, sizes = _visited(chromium, port, SEEN[what])
                if turn == 0:  # the server's first answer is made, the next ones are kept
                    continue
                for name, value in seen.items():
                    visits.seen.setdefault(name, []).append(value)
                if what == PAGE:
                    visits.requests.append(len(sizes))
                    visits.kilobytes.append(sum(sizes) / 1000)
    return visits


def _visited(
    chromium: Any, port: int, selectors: dict[str, str]
) -> tuple[dict[str, float], list[float]]:
    """When each was seen, and the sizes of the page's own files until all were."""
    context = chromium.new_context()
    page = context.new_page()
    line = context.new_cdp_session(page)
    own: dict[str, float] = {}
    line.on(
        "Network.responseReceived",
        lambda event: (
            OWN_FILES in event["response"]["url"] and own.setdefault(event["requestId"], 0)
        ),
    )
    line.on(
        "Network.loadingFinished",
        lambda event: (
            event["requestId"] in own
            and own.update({event["requestId"]: event["encodedDataLength"]})
        ),
    )
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": LATENCY_MS,
            "downloadThroughput": BYTES_PER_SECOND,
            "uploadThroughput": BYTES_PER_SECOND,
        },
    )
    page.add_init_script(f"({_WATCH})({selectors!r})")
    page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
    page.wait_for_function(
        "(count) => Object.keys(window.seen ?? {}).length === count",
        arg=len(selectors),
        timeout=60_000,
    )
    seen: dict[str, float] = page.evaluate("window.seen")
    context.close()
    return seen, list(own.values())


if __name__ == "__main__":
    with packages_needed():
        main()
