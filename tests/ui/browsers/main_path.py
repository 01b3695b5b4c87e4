"""The page's main path, as steps that every browser's driver knows how to take.

First numbers, a click on a word, the working of a number, the map by keyboard, a training: each
step is a click on an element, typing into one, a key, or a wait until an expression is true in the
page; `read` notes what an expression gives. So Firefox and WebKit are asked for the same, though
each has its own driver.
"""

from __future__ import annotations

from typing import Any

Step = dict[str, Any]

BARS = (
    '[...document.querySelectorAll(".mg-bars tbody tr")].map((row) => '
    '[...row.querySelectorAll("th, .mg-number")].map((cell) => cell.textContent))'
)
LINES = '[...document.querySelectorAll(".mg-card .mg-line-text")].map((line) => line.innerText)'
STATUS = 'document.querySelector(".mg-training-status")?.textContent ?? ""'
# Whether what has the focus can be seen: in the window, and under nothing else.
FOCUSED = (
    "(() => { const cell = document.activeElement; const box = cell.getBoundingClientRect(); "
    "const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); "
    "return { role: cell.getAttribute('role'), seen: cell.contains(top) }; })()"
)
# What goes wrong in the page from here on; WebKit's driver has no word of its own for it.
LISTEN = (
    "(window.mgSaid = [], ['error', 'unhandledrejection'].forEach((kind) => "
    "addEventListener(kind, (event) => mgSaid.push(event.message ?? String(event.reason)))), true)"
)
TRAINING_STEPS = 30


def wait(expression: str) -> Step:
    """Go on when `expression` is true in the page."""
    return {"kind": "wait", "expression": expression}


def click(selector: str) -> Step:
    """Click the first element of `selector` as a person does."""
    return {"kind": "click", "selector": selector}


def fill(selector: str, text: str) -> Step:
    """Empty the field and type `text`."""
    return {"kind": "fill", "selector": selector, "text": text}


def press(key: str) -> Step:
    """Press a key, by its name in the DOM, where the focus is."""
    return {"kind": "press", "key": key}


def read(name: str, expression: str) -> Step:
    """Note what `expression` gives, under `name`."""
    return {"kind": "read", "name": name, "expression": expression}


START = "?v=1&panel=training&lang=zh"
MAIN_PATH: list[Step] = [
    read("listening", LISTEN),
    wait(f"{BARS}.length === 5"),
    read("first", BARS),
    wait('document.querySelectorAll(".mg-palette button").length >= 5'),
    click(".mg-palette button:nth-of-type(5)"),
    wait('document.querySelectorAll(".mg-chip").length === 3'),
    wait(f'{BARS}[3]?.[1] !== "0.4835"'),
    read("after_click", BARS),
    wait('document.querySelector(\'[data-stage="logits"] [role="gridcell"]\') !== null'),
    # The shape, not its group: Firefox gives a group no rectangle where a driver could click.
    click('[data-stage="logits"] [data-position="1"] [role="gridcell"]:last-of-type rect'),
    wait(f"{LINES}.length > 0"),
    read("working", LINES),
    read("address", "location.search"),
    click('[data-stage="token_embeddings"] .mg-map-heading-text'),
    wait('document.querySelector(".mg-map-scroll").scrollLeft === 0'),  # the map has followed
    press("End"),
    press("ArrowDown"),
    press("ArrowDown"),
    read("focused", FOCUSED),
    # The working is in front of the panel, which its name beside it brings back.
    click(".mg-aside-choice[aria-pressed='false']"),
    wait("document.querySelector('.mg-corpus')?.value > ''"),
    fill('#mg-panel-training input[name="steps"]', str(TRAINING_STEPS)),
    click("#mg-panel-training .mg-training-actions .mg-primary"),
    wait(f"/训练完/.test({STATUS})"),
    read("trained", STATUS),
    read("own", "location.search"),
    read("said", "mgSaid"),
]
