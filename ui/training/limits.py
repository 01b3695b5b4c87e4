"""Caps that keep a shared machine of two cores responsive while many people train."""

from __future__ import annotations

from dataclasses import dataclass

MAX_LAYERS = 4
MAX_MODEL_DIM = 32
MAX_CONTEXT = 16
MAX_STEPS = 2_000
MAX_CORPUS_WORDS = 1_000
MAX_WATCHED = 4  # prompts whose next word is shown on the way

MAX_FILE_BYTES = 512 * 1024
"""The largest model of these sizes is 0.2 MB as a file; a call carries it as base64."""


@dataclass
class Caps:
    """Of one queue.

    at_once: how many are worked on; each keeps one core busy.
    waiting: how many may wait.
    each: how many of them, and of those worked on, one session may have.
    unasked_seconds: what nobody asked for during so long is dropped.
    """

    at_once: int
    waiting: int
    each: int
    unasked_seconds: float


TRAININGS = Caps(at_once=1, waiting=50, each=4, unasked_seconds=60.0)
"""`python app.py --trainings` sets another `at_once`."""

# A page asks every second for what it waits for, so what is dropped had nobody waiting.
FILES = Caps(at_once=1, waiting=50, each=4, unasked_seconds=20.0)
GRAPHS = Caps(at_once=1, waiting=50, each=4, unasked_seconds=20.0)

MAKING_SECONDS = 600.0  # files or a graph that take longer are given up
"""5 to 30 are usual, but a busy machine has made a graph take 200."""

NICENESS = 5  # of the training process, so that clicks come first

KEPT_BYTES = 4 * 1024 * 1024  # of one training's earlier steps; more are thinned out
KEPT_JOBS = 64
KEPT_MODELS = 256
FORGOTTEN_SECONDS = 3600.0  # a training that nobody asked for during so long is forgotten
