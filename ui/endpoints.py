"""The three named API endpoints: typed, documented, errors as text."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import gradio as gr
import numpy as np
from gradio.events import api

from export.runtimes import Ids
from model.errors import InputError
from model.generation import generate as generate_tokens
from model.sampling import Floats, check_count
from ui import torch_loading
from ui.changes import Change
from ui.engines import TORCH, check_engine, runner
from ui.fields import as_number
from ui.models import model_entry
from ui.requests import COUNT_LIMIT, Prompt
from ui.sentences import check_length, check_not_empty, read_text
from ui.views import trace_lists, view_of

_P = ParamSpec("_P")
_R = TypeVar("_R")

_LOG = logging.getLogger(__name__)


def add_endpoints() -> None:
    """Add the endpoints to the Blocks being built; without a queue, since each is fast."""
    for endpoint in (next_token, generate, trace):
        # Gradio passes only the description on to clients, so it also lists the parameters.
        api(
            endpoint,
            api_name=endpoint.__name__,
            api_description=inspect.getdoc(endpoint),
            queue=False,
        )


def _explains_errors(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """InputError becomes a gr.Error in both languages; other exceptions, one without details."""

    @functools.wraps(function)
    def endpoint(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return function(*args, **kwargs)
        except InputError as error:
            raise _shown(error) from error
        except Exception as error:  # Gradio would print its text, which may quote the input
            _LOG.exception("%s failed", function.__name__)
            raise _shown(InputError("internal")) from error

    return endpoint


def _shown(error: InputError) -> gr.Error:
    return gr.Error(error.in_every_language(), print_exception=False)


@_explains_errors
def next_token(tokens: str, engine: str = "onnxruntime", model: str = "teaching") -> dict[str, Any]:
    """Logits and probabilities of the word that follows a sentence.

    Parameters:
        tokens: the sentence, as a person would type it: 我喜欢, or 我 喜欢 ai
        engine: "onnxruntime" or "torch"
        model: which weights: "teaching", "trained" or "poems"
    Returns:
        tokens: its words; window: the words the model saw; logits and probabilities by word;
        engine.
    """
    prompt = _prompt(tokens, engine, model)
    shown, words = view_of(prompt), prompt.entry.vocabulary.words
    return {
        "tokens": prompt.entry.vocabulary.decode(prompt.tokens),
        "window": prompt.entry.vocabulary.decode(prompt.window),
        "logits": dict(zip(words, shown["logits"], strict=True)),
        "probabilities": dict(zip(words, shown["probabilities"], strict=True)),
        "engine": prompt.engine,
    }


@_explains_errors
def generate(
    tokens: str,
    engine: str = "onnxruntime",
    count: int = 1,
    temperature: float = 0.0,
    top_k: int = 0,
    top_p: float = 1.0,
    seed: int = 0,
    model: str = "teaching",
) -> dict[str, Any]:
    """Append words to a sentence, one after another.

    Parameters:
        tokens: the sentence, as a person would type it
        engine: "onnxruntime" or "torch"
        count: how many words to append, 1 to 64
        temperature: 0 (the default) always takes the most probable word; larger is flatter
        top_k: keep the k most probable words; 0 (the default) keeps all
        top_p: keep the most probable words until their sum reaches top_p; 1 keeps all
        seed: the same seed gives the same words, in either engine; 0 is the default
        model: which weights: "teaching", "trained" or "poems"
    Returns:
        tokens: all words; new_tokens: the appended ones; text: all of them as a text.
    """
    prompt = _prompt(tokens, engine, model)
    wanted = as_number(count)
    check_count(wanted, 1, COUNT_LIMIT)
    check_length(len(prompt.tokens) + wanted)
    made = generate_tokens(
        prompt.entry.config,
        np.array([prompt.tokens], dtype=np.int64),
        wanted,
        temperature=as_number(temperature),
        top_k=as_number(top_k),
        top_p=as_number(top_p),
        seed=as_number(seed),
        next_logits=_next_logits(prompt),
    )
    vocabulary = prompt.entry.vocabulary
    words = vocabulary.decode(made.token_ids[0])
    return {
        "tokens": words,
        "new_tokens": words[len(prompt.tokens) :],
        "text": vocabulary.text(made.token_ids[0]),
    }


@_explains_errors
def trace(tokens: str, engine: str = "onnxruntime", model: str = "teaching") -> dict[str, Any]:
    """Every value between the words the model sees and the next-word probabilities.

    Parameters:
        tokens: the sentence, as a person would type it; the model sees its last words
        engine: "onnxruntime" or "torch"
        model: which weights: "teaching", "trained" or "poems"
    Returns:
        name -> nested list, without the batch axis; a masked score is null.
    """
    prompt = _prompt(tokens, engine, model)
    arrays = runner(prompt.entry, prompt.engine, prompt.change)(
        np.array([prompt.window], dtype=np.int64)
    )
    return trace_lists(arrays, prompt.entry.config.num_layers)


def _prompt(tokens: Any, engine: Any, model: Any) -> Prompt:
    entry = model_entry(model)
    prompt = Prompt(read_text(tokens, entry), entry, check_engine(engine), Change())
    check_not_empty(prompt.tokens, entry)
    if prompt.engine == TORCH:  # an API call waits; the page instead shows that it is loading
        torch_loading.wait()
    return prompt


def _next_logits(prompt: Prompt) -> Callable[[Ids], Floats]:
    run = runner(prompt.entry, prompt.engine, prompt.change)
    return lambda window: run(window)["logits"][:, -1]
