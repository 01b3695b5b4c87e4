"""The network as a person changed it: edited weights and switches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from export.runtimes import Arrays, Ids, Runner
from model.config import MiniGPTConfig
from model.edits import Edits, edited_weights
from model.errors import InputError
from model.parameters import Weights
from model.switches import ALL_ON, Switches
from ui.model_entry import ModelEntry

EditableRunner = Callable[[MiniGPTConfig, Weights, Switches], Runner]
"""An engine whose weights and switches are chosen at every run."""


@dataclass(frozen=True)
class Change:
    """What a person changed in the network, checked: weights cell by cell, and switches."""

    edits: Edits = field(default_factory=dict)
    switches: Switches = ALL_ON

    def __bool__(self) -> bool:
        return bool(self.edits) or self.switches.active


def changed_runner(entry: ModelEntry, make: EditableRunner, change: Change) -> Runner:
    """What runs `entry` with a change; it gives the whole trace.

    Raises:
        InputError: when called, if a value is no longer finite.
    """
    weights = edited_weights(entry.weights(), change.edits)
    return _finite(make(entry.config, weights, change.switches))


def _finite(run: Runner) -> Runner:
    """`run`, refusing to hand out values that are not finite (a masked score never is)."""

    def finite_run(token_ids: Ids) -> Arrays:
        arrays = run(token_ids)
        for name, values in arrays.items():
            if not name.endswith("masked_scores") and not np.isfinite(values).all():
                raise InputError("values_not_finite", name=name)
        return arrays

    return finite_run
