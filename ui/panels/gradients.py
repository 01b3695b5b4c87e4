"""One training step of the page's model on the beginning of its text, with workings of its numbers.

That of the lesson's models is the lesson's batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.corpus import LESSON_CORPUS, Corpus, read_corpus, windows_of
from model.errors import InputError
from model.parameters import parameter_shapes
from model.vocabulary import LESSON_WORDS
from ui import torch_loading
from ui.calls import Request, Response, server_call
from ui.model_entry import ModelEntry
from ui.models import model_entry
from ui.panel import Panel, Way

if TYPE_CHECKING:
    from model.gradients import GradientStep


@server_call
def gradients(request: Request) -> Response:
    """Logits, losses and d loss / d logits of one step, and the gradient of `parameter`.

    The model has its set or trained weights, without edits made on the page.
    """
    entry = model_entry(request.get("model"))
    made = _made(entry)
    asked = request.get("parameter")
    names = list(parameter_shapes(entry.config))
    name = asked if isinstance(asked, str) and asked in names else names[-2]
    return {
        "model": entry.description,
        "token_ids": made.token_ids.tolist(),
        "targets": made.targets.tolist(),
        "logits": made.logits.tolist(),
        "probabilities": made.probabilities.tolist(),
        "losses": made.losses.tolist(),
        "loss": made.loss,
        "shapes": {  # as cross-entropy takes them: B·T rows
            "logits": list(made.logits.reshape(-1, made.logits.shape[-1]).shape),
            "targets": list(made.targets.reshape(-1).shape),
        },
        "counted": made.counted,
        "logits_gradient": made.logits_gradient.tolist(),
        "parameters": names,
        "parameter": name,
        "gradient": made.weight_gradients[name].tolist(),
        "weight": entry.weights()[name].tolist(),
    }


@server_call
def gradient_card(request: Request) -> Response:
    """The working of one number of that step; `key` and `cell` as in `model.working.gradient`."""
    from model.working.card import as_dict
    from model.working.gradient import gradient_working

    key, cell = request.get("key"), request.get("cell")
    if not isinstance(key, str):
        raise InputError("working_key", key=repr(key)[:60])
    if not isinstance(cell, list) or not all(type(index) is int for index in cell):
        raise InputError("working_cell", key=key[:60], cell=repr(cell)[:60], shape="?")
    made = _made(model_entry(request.get("model")))
    card: dict[str, Any] = as_dict(gradient_working(made, key, tuple(cell)))
    return card


SERVER_FUNCTIONS = [gradients, gradient_card]
PANEL = Panel(Way.LAB, order=55)


def _made(entry: ModelEntry) -> GradientStep:
    torch_loading.require()
    from model.gradients import gradient_step

    if entry.sentences:
        corpus = Corpus(entry.sentences, entry.vocabulary)
    elif entry.vocabulary == LESSON_WORDS:
        corpus = read_corpus(LESSON_CORPUS, LESSON_WORDS)
    else:
        raise InputError("gradients_text")
    return gradient_step(entry.load_torch(), windows_of(corpus, entry.config.context_length))
