"""Limits that keep a shared machine of two cores responsive while many people train."""

from __future__ import annotations

from dataclasses import dataclass

MAX_LAYERS = 4
MAX_MODEL_DIM = 32
MAX_CONTEXT = 32
MAX_STEPS = 2_000
MAX_CORPUS_WORDS = 1_000
MAX_WORDS = 256  # different words of a text of one's own
MAX_TEXT_WORDS = 26_000  # of such a text: 256 KB at most
MAX_TEXT_BYTES = 256 * 1024  # of a file with such a text, read in the browser
MAX_WATCHED = 4  # prompts whose next word is shown during training

MAX_FILE_BYTES = 512 * 1024
"""The largest model of these sizes is 0.3 MB as a file; a call carries it as base64."""


@dataclass
class Caps:
    """The limits of one queue.

    at_once: how many processes run; each keeps one core busy.
    waiting: how many may wait.
    each: how many one session may have, waiting and running together.
    unasked_seconds: work that is not polled for so long is dropped.
    """

    at_once: int
    waiting: int
    each: int
    unasked_seconds: float


TRAININGS = Caps(at_once=1, waiting=50, each=4, unasked_seconds=60.0)
"""`python app.py --trainings` sets another `at_once`."""

# A page polls every second, so nobody is waiting for work that is dropped.
FILES = Caps(at_once=1, waiting=50, each=4, unasked_seconds=20.0)
GRAPHS = Caps(at_once=1, waiting=50, each=4, unasked_seconds=20.0)

MAKING_SECONDS = 600.0  # after that, making files or a graph is aborted
"""5 to 30 s are usual; on a busy machine a graph has taken 200 s."""

NICENESS = 5  # of the training process, so that clicks have priority

KEPT_BYTES = 4 * 1024 * 1024  # weights of one training's earlier steps; see `history.keep_every`
KEPT_JOBS = 64
KEPT_MODELS = 256
FORGOTTEN_SECONDS = 3600.0  # a training that is not polled for so long is forgotten
