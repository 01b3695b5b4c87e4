"""All parameters of a network as views of one tensor.

In a network this small dispatch overhead dominates: an optimizer that sees one tensor instead
of 26 makes one call instead of 26 for each of its operations (see `bench/training.py`).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class FlatParameter:
    """`parameter` holds every weight of `network` in order, `parameter.grad` every gradient.

    Writing to either writes to the network, until `release` gives each weight its own memory.
    """

    def __init__(self, network: nn.Module) -> None:
        self._weights = list(network.parameters())
        flat = torch.cat([weight.detach().flatten() for weight in self._weights])
        self.gradient = torch.zeros_like(flat)
        self.parameter = nn.Parameter(flat)
        self.parameter.grad = self.gradient
        for weight, view, gradient in zip(
            self._weights, self._views(flat), self._views(self.gradient), strict=True
        ):
            weight.data, weight.grad = view, gradient

    def release(self) -> None:
        """Give every weight its own memory, and remove the gradients."""
        for weight in self._weights:
            weight.data, weight.grad = weight.data.clone(), None

    def _views(self, flat: Tensor) -> list[Tensor]:
        parts = torch.split(flat, [weight.numel() for weight in self._weights])
        return [part.view_as(weight) for part, weight in zip(parts, self._weights, strict=True)]
