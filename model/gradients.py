"""One training step in detail: logits, loss, and all gradients.

Dropout is off, so the numbers depend on weights and data alone. With p the softmax of the
logits at a counted position, y the one-hot target and N the number of counted positions,
d loss / d logits = (p - y) / N; the other gradients follow from it by the chain rule.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from model.arrays import as_array
from model.config import IGNORED_TARGET
from model.corpus import Windows
from model.errors import InputError
from model.network import MiniGPT

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class GradientStep:
    """The values of one step. Shapes: B windows, T positions, V words.

    losses: cross entropy at each position, 0 where the target is ignored; loss: their mean
    over the counted ones.
    """

    token_ids: NDArray[np.int64]  # [B, T]
    targets: NDArray[np.int64]  # [B, T]
    final_hidden: Floats  # [B, T, model_dim]
    logits: Floats  # [B, T, V]
    probabilities: Floats  # [B, T, V]
    losses: Floats  # [B, T]
    loss: float
    logits_gradient: Floats  # [B, T, V]
    weight_gradients: dict[str, Floats]  # by state_dict name

    @property
    def counted(self) -> int:
        """N: positions whose target counts."""
        return int((self.targets != IGNORED_TARGET).sum())


def gradient_step(model: MiniGPT, windows: Windows) -> GradientStep:
    """The step of `model` on all `windows`; the model is not changed.

    Raises:
        InputError: ids or targets do not fit the model, or a value is not finite.
    """
    token_ids, targets = torch.from_numpy(windows.token_ids), torch.from_numpy(windows.targets)
    was_training = model.training
    weights = dict(model.named_parameters())
    try:
        values = model.eval().trace(token_ids)
    finally:
        model.train(was_training)
    flat_logits = values["logits"].flatten(0, 1)  # [B*T, V]
    losses = functional.cross_entropy(
        flat_logits, targets.flatten(), ignore_index=IGNORED_TARGET, reduction="none"
    )
    loss = losses.sum() / (targets != IGNORED_TARGET).sum()
    logits_gradient, *gradients = torch.autograd.grad(loss, [values["logits"], *weights.values()])
    _check_finite(
        logits=values["logits"],
        loss=loss,
        **{f"d loss / d {name}": each for name, each in zip(weights, gradients, strict=True)},
    )
    return GradientStep(
        windows.token_ids,
        windows.targets,
        as_array(values["final_hidden"]),
        as_array(values["logits"]),
        as_array(values["vocabulary_probs"]),
        as_array(losses.view(targets.shape)),
        loss.item(),
        as_array(logits_gradient),
        {name: as_array(value) for name, value in zip(weights, gradients, strict=True)},
    )


def _check_finite(**named: torch.Tensor) -> None:
    """Raise InputError unless all values are finite: even finite weights can overflow float32."""
    for name, value in named.items():
        if not torch.isfinite(value).all():
            raise InputError("values_not_finite", name=name)
