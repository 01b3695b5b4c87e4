"""The page's calls for training: start, progress, stop, resume, rewind; save and load weights."""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from typing import Any

from languages import LANGUAGES
from model.checkpoint import read_checkpoint
from model.corpus import LESSON_CORPUS, Corpus, entropy_floor, uniform_loss
from model.errors import InputError
from model.own_sizes import own_config, own_settings
from model.teaching import TEACHING_CONFIG
from model.training_settings import DEFAULTS, LESSON_DROPOUT, LESSON_SIZES
from model.vocabulary import LESSON_WORDS
from model.weights_file import WEIGHTS_FILE, read_description
from ui.calls import Request, Response, server_call
from ui.fields import as_number
from ui.panel import Panel, Way
from ui.training import limits
from ui.training.files import weights_files
from ui.training.jobs import RECORDED_ID
from ui.training.service import service
from ui.training.spec import check_sizes, read_spec, read_text

FIRST_FORM = {
    "corpus": LESSON_CORPUS,
    "start": "random",
    **LESSON_SIZES,
    "dropout": LESSON_DROPOUT,
    "learning_rate": DEFAULTS.learning_rate,
    "steps": DEFAULTS.steps,
    "seed": DEFAULTS.seed,
}
"""The form's values on a first visit."""

_MOST_COUNTED = 30  # words of a text whose counts are listed


@server_call
def training_form(request: Request) -> Response:
    """The form's defaults and limits. Starts a process, since a training is likely to follow."""
    service.spare.warm_up()
    return {
        "defaults": FIRST_FORM,
        "teaching": TEACHING_CONFIG.as_dict(),
        "limits": {
            "num_layers": limits.MAX_LAYERS,
            "num_heads": limits.MAX_MODEL_DIM,
            "model_dim": limits.MAX_MODEL_DIM,
            "context_length": limits.MAX_CONTEXT,
            "steps": limits.MAX_STEPS,
            "words": limits.MAX_CORPUS_WORDS,
            "bytes": limits.MAX_FILE_BYTES,
            "text_bytes": limits.MAX_TEXT_BYTES,
        },
    }


@server_call
def training_corpus(request: Request) -> Response:
    """Statistics of a corpus, and the lowest possible loss on it at this context_length.

    For a text of one's own also `suggested` values of the form.

    An invalid corpus is reported as `problem`, not as an error: it is still being typed.
    """
    try:
        corpus = read_text(request)
        context_length = as_number(request.get("context_length"))
    except InputError as error:
        return {"problem": error.text(_language(request))}
    if type(context_length) is not int or not 1 <= context_length <= limits.MAX_CONTEXT:
        context_length = LESSON_SIZES["context_length"]
    return {
        "problem": None,
        "sentences": len(corpus.sentences),
        "targets": sum(len(sentence) - 1 for sentence in corpus.sentences),
        "floor": entropy_floor(corpus, context_length),
        "uniform": uniform_loss(corpus.vocab_size),
        **_words_in(corpus),
        "suggested": None if request.get("unit") is None else _suggested(corpus),
    }


def _words_in(corpus: Corpus) -> Response:
    """How often which words occur, most frequent first; words that do not are not counted."""
    counts = Counter(token for sentence in corpus.sentences for token in sentence)
    shown = corpus.vocabulary.shown
    return {
        "vocabulary": corpus.vocab_size,
        "words": len(counts),
        "counts": [[shown[token], count] for token, count in counts.most_common(_MOST_COUNTED)],
        "left_out": corpus.left_out,
    }


def _suggested(corpus: Corpus) -> Response:
    """The form's values that follow from a text, within the page's limits."""
    sizes = own_config(corpus, {})
    if sizes.model_dim > limits.MAX_MODEL_DIM:
        sizes = own_config(corpus, {"model_dim": limits.MAX_MODEL_DIM})
    settings = own_settings(corpus, sizes, {}, limits.MAX_STEPS)
    names = ("num_layers", "num_heads", "model_dim", "context_length", "dropout")
    return {
        **{name: getattr(sizes, name) for name in names},
        "learning_rate": settings.learning_rate,
        "steps": settings.steps,
    }


@server_call
def training_start(request: Request) -> Response:
    """Put a training into the queue; the answer's `key` is required to change it."""
    spec = read_spec(request.get("task"))
    keys = service.jobs.submit(spec)
    service.graphs.prepare(spec.config)  # so that both engines can run it when it is trained
    return {**_progress(keys.id, request), "key": keys.key}


@server_call
def training_progress(request: Request) -> Response:
    """The state of training `id`, with the curve from step `since` on."""
    return _progress(request.get("id"), request)


@server_call
def training_recorded(request: Request) -> Response:
    """The recorded run, as `training_progress` answers: what the panel shows before a training."""
    return _progress(RECORDED_ID, request)


@server_call
def training_stop(request: Request) -> Response:
    """Stop at the current step; like all calls that change a training, this needs its `key`."""
    service.jobs.stop(request.get("id"), request.get("key"))
    return _progress(request.get("id"), request)


@server_call
def training_resume(request: Request) -> Response:
    """Resume, up to `steps` updates in total if given."""
    steps = request.get("steps")
    steps = None if steps is None else as_number(steps)
    service.jobs.resume(request.get("id"), request.get("key"), steps)
    return _progress(request.get("id"), request)


@server_call
def training_rewind(request: Request) -> Response:
    """Back to the initial weights."""
    service.jobs.rewind(request.get("id"), request.get("key"))
    return _progress(request.get("id"), request)


@server_call
def own_weights(request: Request) -> Response:
    """`model` as a .safetensors file, for the browser to store."""
    own = service.own.get(request.get("model"))
    content = weights_files(own)[WEIGHTS_FILE]
    return {"model": own.entry.description, "content": base64.b64encode(content).decode()}


@server_call
def own_files(request: Request) -> Response:
    """Start making all files of `model`, and report the state."""
    answer = service.files.state(service.own.get(request.get("model")))
    return {**answer, "trouble": _told(answer["trouble"], request)}


@server_call
def own_file(request: Request) -> Response:
    """One file that `own_files` listed."""
    own, name = service.own.get(request.get("model")), request.get("name")
    if own.proof is None or not isinstance(name, str) or name not in own.files:
        names = ", ".join(own.files) if own.proof else "–"
        raise InputError("choice", name="name", choices=names, value=repr(name)[:60])
    return {"name": name, "content": base64.b64encode(own.files[name]).decode()}


@server_call
def own_load(request: Request) -> Response:
    """Load a .safetensors file (`content` in base64; `config` the text of its config.json)."""
    content = _decoded(request.get("content"))
    beside = request.get("config")
    config = read_description(beside) if isinstance(beside, str) else None
    sizes, weights, words = read_checkpoint(content, config=config)
    check_sizes(sizes)
    if words is None:  # written before files stated words: there were none but the lesson's
        words = (
            read_checkpoint(content, config=config, vocabulary=LESSON_WORDS).vocabulary
            or LESSON_WORDS
        )
    service.graphs.prepare(sizes)
    return {"model": service.own.load(sizes, weights, words).entry.description}


SERVER_FUNCTIONS = [
    training_form,
    training_corpus,
    training_start,
    training_progress,
    training_recorded,
    training_stop,
    training_resume,
    training_rewind,
    own_weights,
    own_files,
    own_file,
    own_load,
]
PANEL = Panel(Way.LAB, order=50, shows_results=False)


def _progress(token: Any, request: Request) -> Response:
    since = request.get("since", 0)
    answer = service.jobs.progress(token, since if type(since) is int else 0)
    # Under `error` the browser would take it for a failure of this call.
    told = _told(answer.pop("error"), request)
    return {**answer, "trouble": told}


def _told(trouble: InputError | None, request: Request) -> Response | None:
    if trouble is None:
        return None
    return {"code": trouble.code, "text": trouble.text(_language(request))}


def _language(request: Request) -> str:
    asked = request.get("lang")
    return asked if asked in LANGUAGES else LANGUAGES[0]


def _decoded(content: Any) -> bytes:
    if not isinstance(content, str):
        raise InputError("file_base64")
    size = len(content) * 3 // 4
    if size > limits.MAX_FILE_BYTES + 2:
        raise InputError("checkpoint_too_large", size=size, limit=limits.MAX_FILE_BYTES)
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError("file_base64") from error
