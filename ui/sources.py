"""The numbers that a working is made from: trace, weights and switches of a sentence."""

from __future__ import annotations

from model.edits import edited_weights
from model.trace import trace_shapes
from model.working import Source, source_of_numbers
from ui.engines import run
from ui.requests import Prompt
from ui.sentences import check_not_empty


def source_of(prompt: Prompt) -> Source:
    """The trace of the window in the chosen engine, with the weights and switches it ran with.

    Raises:
        InputError: the sentence is empty, or a change is invalid.
    """
    check_not_empty(prompt.tokens, prompt.entry)
    config = prompt.entry.config
    arrays = run(prompt.entry, prompt.engine, prompt.window, prompt.change)
    trace = {
        name: arrays[name][0] if axes[0] == "B" else arrays[name]
        for name, axes in trace_shapes(config.num_layers).items()
    }
    return source_of_numbers(
        trace,
        edited_weights(prompt.entry.weights(), prompt.change.edits),
        config,
        tuple(prompt.window),
        prompt.change.switches,
    )
