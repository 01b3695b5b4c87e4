"""How the next word is sampled, step by step, and the tree of continuations."""

from __future__ import annotations

from typing import Any

import numpy as np

from export.runtimes import Ids
from model.continuations import LONGEST_DEPTH, TreeLevel, continuation_tree, deepest
from model.errors import InputError
from model.generation import NextLogits
from model.sampling import (
    Floats,
    SamplingSettings,
    SamplingSteps,
    choose,
    draw_numbers,
    sampling_steps,
)
from ui.calls import Request, Response, server_call
from ui.engines import runner
from ui.fields import as_number, for_browser
from ui.panel import Panel, Way
from ui.requests import Prompt, read_index, read_prompt, read_sampling
from ui.sentences import check_not_empty


@server_call
def sampling_explained(request: Request) -> Response:
    """Each step from the logits to the sampled word, for every word.

    `draw` is the uniform number for `seed` and `index` (how many words were sampled before) and
    each word's interval of the cumulative distribution; None for argmax, which uses no random
    number.
    """
    prompt = read_prompt(request)
    check_not_empty(prompt.tokens, prompt.entry)
    settings = read_sampling(request.get("sampling"))
    logits = next_logits_of(prompt)(np.array([prompt.window], dtype=np.int64))
    steps = sampling_steps(logits, settings)
    return {
        "temperature": settings.temperature,
        "top_k": settings.top_k,
        "top_p": settings.top_p,
        "steps": _steps(logits, steps, settings),
        "chosen": int(steps.probabilities.argmax()),
        "draw": None,
        **_draw(request, settings, steps),
    }


@server_call
def continuations(request: Request) -> Response:
    """The tree of continuations: `nodes` nested, the most probable first; `sum` of the leaves."""
    prompt = read_prompt(request)
    check_not_empty(prompt.tokens, prompt.entry)
    depth = min(LONGEST_DEPTH, deepest(prompt.entry.config.vocab_size))
    levels = continuation_tree(
        next_logits_of(prompt),
        prompt.tokens,
        prompt.entry.config.context_length,
        read_sampling(request.get("sampling")),
        depth,
    )
    return {
        "depth": depth,
        "leaves": len(levels[-1].share),
        "sum": float(levels[-1].share.sum()),
        "nodes": _children(levels, 0, 0),
    }


SERVER_FUNCTIONS = [sampling_explained, continuations]
PANEL = Panel(Way.LAB, order=40)


def next_logits_of(prompt: Prompt) -> NextLogits:
    """A function that gives the last position's logits, with the prompt's changes and engine."""
    run = runner(prompt.entry, prompt.engine, prompt.change)

    def next_logits(window: Ids) -> Floats:
        logits = np.asarray(run(window)["logits"][:, -1])
        if not np.isfinite(logits).all():
            raise InputError("logits_not_finite")
        return logits

    return next_logits


def _steps(
    logits: Floats, steps: SamplingSteps, settings: SamplingSettings
) -> dict[str, list[float | None]]:
    """The row of each step that applies; a scaled logit beyond the range of floats is None.

    With temperature 0 the one step is argmax: 1 for the chosen word and 0 for the others.
    """
    greedy = {"logits": logits, "argmax": steps.probabilities}
    drawn = {
        "logits": logits,
        "scaled_logits": steps.scaled_logits,
        "after_temperature": steps.after_temperature,
        "after_top_k": steps.after_top_k,
        "after_top_p": steps.after_top_p,
        "probabilities": steps.probabilities,
    }
    rows = greedy if settings.temperature == 0 else drawn
    return {
        name: [float(value) if np.isfinite(value) else None for value in row[0]]
        for name, row in rows.items()
    }


def _draw(request: Request, settings: SamplingSettings, steps: SamplingSteps) -> dict[str, Any]:
    if settings.temperature == 0:
        return {}
    seed, index = as_number(request.get("seed", 0)), read_index(request.get("index", 0))
    uniform = draw_numbers(seed, 1, 1, start=index)[0]
    edges = np.cumsum(steps.probabilities[0])
    return {
        "chosen": int(choose(steps.probabilities, uniform)[0, 0]),
        "draw": {
            "uniform": float(uniform[0]),
            "seed": for_browser(seed),
            "index": index,
            "from": [0.0, *edges[:-1].tolist()],
            "to": edges.tolist(),
        },
    }


def _children(levels: list[TreeLevel], depth: int, parent: int) -> list[dict[str, Any]]:
    """The nodes of `levels[depth]` below `parent`, most probable first, with their children."""
    if depth == len(levels):
        return []
    level = levels[depth]
    rows = np.flatnonzero(level.parent == parent)
    rows = rows[np.argsort(-level.share[rows], kind="stable")]
    return [
        {
            "word": int(level.words[row, -1]),
            "step": float(level.step[row]),
            "share": float(level.share[row]),
            "children": _children(levels, depth + 1, int(row)),
        }
        for row in rows.tolist()
    ]
