"""The network as a person changed it: edited weights and switches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from export.runtimes import Arrays, Ids, Runner
from model.config import MiniGPTConfig
from model.edits import apply_edits
from model.errors import InputError
from model.parameters import Weights
from model.switches import Switches, read_switches
from ui.model_entry import ModelEntry

EditableRunner = Callable[[MiniGPTConfig, Weights, Switches], Runner]
"""An engine whose weights and switches are chosen at every run."""


def changed_runner(entry: ModelEntry, make: EditableRunner, edits: Any, switches: Any) -> Runner:
    """What runs `entry` with `edits` and `switches`; it gives the whole trace.

    Raises:
        InputError: an edit or a switch is wrong; or, when called, a value is no longer finite.
    """
    weights = apply_edits(entry.weights(), edits)
    return _finite(make(entry.config, weights, read_switches(switches, entry.config)))


def _finite(run: Runner) -> Runner:
    """`run`, refusing to hand out values that are not finite (a masked score never is)."""

    def finite_run(token_ids: Ids) -> Arrays:
        arrays = run(token_ids)
        for name, values in arrays.items():
            if not name.endswith("masked_scores") and not np.isfinite(values).all():
                raise InputError("values_not_finite", name=name)
        return arrays

    return finite_run
