"""A model's behaviour: the next word of every prompt or of a sample, and the graph of argmax."""

from __future__ import annotations

from typing import Any

from model.behaviour import (
    MOST_WINDOWS,
    PromptRow,
    Walk,
    Window,
    argmax_walk,
    drawn_prompts,
    every_prompt,
    longest_listed,
    most_prompts,
    steps_to_cycle,
)
from model.config import MiniGPTConfig
from model.generation import NextLogits
from ui.calls import Request, Response, server_call
from ui.panel import Panel, Way
from ui.panels.sampling import next_logits_of
from ui.requests import read_prompt

WALK_FROM_UP_TO = 2
"""The walk starts at every prompt of up to so many words: all prompts if context_length is 2."""


DRAWN_SEED = 0


@server_call
def behaviour(request: Request) -> Response:
    """Every prompt of up to `longest` words with its probabilities, and the graph of argmax.

    `drawn` has longer prompts, drawn with `seed`; it is None if `rows` are all that there are.
    """
    prompt = read_prompt({**request, "tokens": []})
    config = prompt.entry.config
    next_logits = next_logits_of(prompt)
    longest = longest_listed(config.vocab_size, config.context_length)
    rows = every_prompt(next_logits, config.vocab_size, longest)
    starts = [row.tokens for row in rows if len(row.tokens) <= WALK_FROM_UP_TO]
    starts = starts or [(word,) for word in range(config.vocab_size)]
    walk = argmax_walk(next_logits, starts, config.context_length)
    return {
        "longest": longest,
        "most_prompts": most_prompts(config.vocab_size),
        "context_length": config.context_length,
        "rows": [_row(row) for row in rows],
        "drawn": _drawn(next_logits, config, longest),
        "walk": {
            "from_up_to": max(map(len, starts)),
            "complete": walk.complete,
            "most_windows": MOST_WINDOWS,
            "cycles": [list(map(list, cycle)) for cycle in walk.cycles],
            "nodes": _nodes(walk, dict.fromkeys(starts)),
        },
    }


SERVER_FUNCTIONS = [behaviour]
PANEL = Panel(Way.LAB, order=60)


def _drawn(next_logits: NextLogits, config: MiniGPTConfig, longest: int) -> dict[str, Any] | None:
    lengths = range(longest + 1, config.context_length + 1)
    if not lengths:
        return None
    rows = drawn_prompts(next_logits, config.vocab_size, lengths, DRAWN_SEED)
    return {
        "seed": DRAWN_SEED,
        "from": lengths[0],
        "to": lengths[-1],
        "rows": [_row(row) for row in rows],
    }


def _row(row: PromptRow) -> dict[str, Any]:
    return {
        "tokens": list(row.tokens),
        "probabilities": row.probabilities.tolist(),
        "next": row.next_id,
    }


def _nodes(walk: Walk, starts: dict[Window, None]) -> list[dict[str, Any]]:
    """Every window of the walk: its successor, its cycle, the steps to it (0: part of it)."""
    distances = steps_to_cycle(walk)
    return [
        {
            "window": list(window),
            "word": word,
            "after": list(after),
            "steps": distances.get(window, (None, None))[0],
            "cycle": distances.get(window, (None, None))[1],
            "start": window in starts,
        }
        for window, (word, after) in walk.follows.items()
    ]
