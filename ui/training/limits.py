"""Caps that keep a shared machine of two cores responsive while many people train."""

from __future__ import annotations

MAX_LAYERS = 4
MAX_MODEL_DIM = 32
MAX_CONTEXT = 16
MAX_STEPS = 2_000
MAX_CORPUS_WORDS = 1_000
MAX_WATCHED = 4  # prompts whose next word is shown on the way

MAX_FILE_BYTES = 512 * 1024
"""The largest model of these sizes is 0.2 MB as a file; a call carries it as base64."""

AT_ONCE = 1  # each keeps one core busy; `python app.py --trainings` sets another number
MAX_WAITING = 50
NICENESS = 5  # of the training process, so that clicks come first

KEPT_BYTES = 4 * 1024 * 1024  # of one training's earlier steps; more are thinned out
KEPT_JOBS = 64
KEPT_MODELS = 256
UNASKED_SECONDS = 60.0  # a job that nobody looks at for so long is stopped
FORGOTTEN_SECONDS = 3600.0  # and after so long it is forgotten
"""Measured from the last time somebody asked for it."""
