"""Changes to the network made on the page: edited weights and switches."""

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
"""Makes a runner of an engine that takes weights and switches as inputs of each run."""


@dataclass(frozen=True)
class Change:
    """Checked changes to the network: weights cell by cell, and switches."""

    edits: Edits = field(default_factory=dict)
    switches: Switches = ALL_ON

    def __bool__(self) -> bool:
        return bool(self.edits) or self.switches.active


def changed_runner(entry: ModelEntry, make: EditableRunner, change: Change) -> Runner:
    """A runner of `entry` with `change` applied; it returns the whole trace.

    Raises:
        InputError: when the runner is called, if a value is no longer finite.
    """
    weights = edited_weights(entry.weights(), change.edits)
    return _finite(make(entry.config, weights, change.switches))


def _finite(run: Runner) -> Runner:
    """`run`, which raises for values that are not finite (masked scores excepted)."""

    def finite_run(token_ids: Ids) -> Arrays:
        arrays = run(token_ids)
        for name, values in arrays.items():
            if not name.endswith("masked_scores") and not np.isfinite(values).all():
                raise InputError("values_not_finite", name=name)
        return arrays

    return finite_run
