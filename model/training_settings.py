"""Training settings, checked without torch, so that the page can reject them immediately.

The only place of the defaults: the page's form, its calls and `python -m model train` read them
from here.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from model.config import check_size
from model.errors import InputError
from model.sampling import check_seed

LESSON_SIZES = {
    "context_length": 8,
    "model_dim": 4,
    "num_heads": 2,
    "num_layers": 2,
}
LESSON_DROPOUT = 0.1
"""Of the lesson's training example."""


@dataclass(frozen=True)
class TrainingSettings:
    """Training settings.

    steps: total updates; learning_rate: AdamW's, above 0; batch_size: windows per step (a
    smaller corpus is one batch); watch_every: steps between two evaluations without dropout;
    decay: whether the learning rate falls to zero in a straight line over the steps;
    output_bias: whether the bias of the logits is learned; else it is zero, as in GPT-2.

    Raises:
        InputError: a value is out of range.
    """

    steps: int = 400
    learning_rate: float = 0.01
    seed: int = 0
    batch_size: int = 32
    watch_every: int = 50
    decay: bool = False
    output_bias: bool = True

    def __post_init__(self) -> None:
        for name in ("steps", "batch_size", "watch_every"):
            check_size(name, getattr(self, name))
        check_seed(self.seed)
        rate: Any = self.learning_rate
        number = isinstance(rate, (int, float)) and not isinstance(rate, bool)
        if not number or not 0 < rate <= sys.float_info.max:
            raise InputError("learning_rate", value=repr(rate))
        for name in ("decay", "output_bias"):
            if not isinstance(getattr(self, name), bool):
                raise InputError("yes_or_no", name=name, value=repr(getattr(self, name)))


DEFAULTS = TrainingSettings()
