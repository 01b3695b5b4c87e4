"""`python -m bench.large_view`: what a view of the largest model of the page costs.

256 words, context 32, 32 channels in 4 heads, 4 blocks, random weights, a full window. Two
ratios, each of contenders in turn:

- "view": the answer that the page gets, as the text that travels, over the bare run of its
  session with the same inputs.
- "click": a click on a word until the last change of the map and its bars, which change when the
  view has come; with the largest model over the lesson's, in one browser and of one server.

Needs Chromium at /usr/bin/chromium, or its path in CHROMIUM.
"""

from __future__ import annotations

import argparse
import base64
from collections.abc import Callable
from statistics import median

from bench.click import CLICKS, WARM_UP, clicked
from bench.commands import in_turn, run
from bench.pages import PAGE, browser, served
from model.console import Console, packages_needed

with packages_needed(__name__):
    import numpy as np
    import orjson  # as Gradio writes an answer

    from model.checkpoint import state_bytes
    from model.config import MiniGPTConfig
    from model.parameters import weights_of
    from model.switches import ALL_ON, gate_arrays
    from model.vocabulary import Vocabulary

CONFIG = MiniGPTConfig(256, 32, 32, 4, 4)
TOKENS = list(range(CONFIG.context_length))
ROUNDS = 30
MAP = ".mg-map-frame"
MAKING_MS = 300_000  # the graph of these sizes is exported first

# Loads a file's content as a model of one's own, as the page does; resolves to its id.
_LOAD = """
async (content) => {
  const { functions } = JSON.parse(document.getElementById("mg-data").textContent);
  const answer = await fetch("gradio_api/component_server", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      data: { content }, component_id: functions.component, fn_name: "own_load", session_hash: "1",
    }),
  });
  return (await answer.json()).model.id;
}
"""


_SAID = {
    "run": "bench.large_run",
    "view": "bench.large_view",
    "lesson": "bench.large_lesson",
    "click": "bench.large_click",
}


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print the medians and their ratios."""
    run("bench.large_view_describe", arguments, _print)


def _print(console: Console, _: argparse.Namespace) -> None:
    content = large_model()
    clicks = _clicks(content)
    taken = in_turn(contenders(content), ROUNDS, WARM_UP)
    views = {name: seconds * 1000 for name, seconds in taken.items()}
    for medians, count in ((views, ROUNDS), (clicks, CLICKS)):
        (bare, least), (name, value) = medians.items()
        for each, figure in ((bare, least), (name, value)):
            what = console.text(_SAID[each])
            console.say("bench.click_line", what=what, value=figure, count=count)
        console.say("bench.ratio", ratio=value / least)


def large_model() -> bytes:
    """A weights file of CONFIG, with one Chinese character a word."""
    from model.training import new_model

    words = Vocabulary([chr(0x4E00 + number) for number in range(CONFIG.vocab_size)], "characters")
    return state_bytes(CONFIG, weights_of(new_model(CONFIG, 0)), words)


def contenders(content: bytes) -> dict[str, Callable[[], object]]:
    """The bare run and the view of a full window, in this process."""
    from export.runtimes.editable import editable_session
    from model.checkpoint import read_checkpoint
    from ui.training.service import service
    from ui.views import view

    config, weights, words = read_checkpoint(content)
    assert words is not None
    session = editable_session(config)  # kept: the view runs the same one
    own = service.own.load(config, weights, words).entry.id
    feeds = {
        "token_ids": np.array([TOKENS], dtype=np.int64),
        **gate_arrays(ALL_ON, config, len(TOKENS)),
        **weights,
    }
    feeds = {given.name: feeds[given.name] for given in session.get_inputs()}
    return {
        "run": lambda: session.run(None, feeds),
        "view": lambda: orjson.dumps(view({"tokens": TOKENS, "model": own, "block": 0})),
    }


def _clicks(content: bytes) -> dict[str, float]:
    with browser() as chromium, served(PAGE) as port:
        address = f"http://127.0.0.1:{port}/"
        lesson, large = (chromium.new_page() for _ in range(2))
        lesson.goto(f"{address}?tokens=0-1")
        lesson.get_by_text("0.4835").nth(1).wait_for(state="attached")
        own = lesson.evaluate(_LOAD, base64.b64encode(content).decode())
        large.goto(f"{address}?model={own}&tokens={'-'.join(map(str, TOKENS))}")
        large.locator(".mg-bars .mg-probability").nth(10).wait_for(timeout=MAKING_MS)
        large.wait_for_timeout(5_000)  # PyTorch is being imported in the background
        taken: dict[str, list[float]] = {"lesson": [], "click": []}
        for turn in range(CLICKS + WARM_UP):
            place = 1 + turn % 2
            figures = {
                "lesson": clicked(lesson, f".mg-word:nth-of-type({place})", MAP),
                "click": clicked(large, f".mg-word:nth-of-type({place})", MAP),
            }
            if turn >= WARM_UP:
                for name, figure in figures.items():
                    taken[name].append(figure)
    return {name: median(values) for name, values in taken.items()}


if __name__ == "__main__":
    with packages_needed():
        main()
