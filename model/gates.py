"""Gates: tensors that values of the network are multiplied by, set by the switches.

A missing gate leaves its value unchanged and adds no operation, so the plain network and the
graph exported from it contain no gates.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor


class Gates:
    """Gate tensors by name, relative to one part of the network.

    The names are those of `model.switches.gate_axes`; `within` steps into a block, where
    `ln1.gate` is `blocks.0.ln1.gate`.
    """

    def __init__(self, tensors: Mapping[str, Tensor], prefix: str = "") -> None:
        self._tensors = tensors
        self._prefix = prefix

    def within(self, prefix: str) -> Gates:
        """The gates whose names start with `prefix`, named without it."""
        return Gates(self._tensors, self._prefix + prefix)

    def scale(self, name: str, value: Tensor) -> Tensor:
        """`value` times its gate: 1 passes it, 0 blocks it, a dropout mask drops some elements."""
        gate = self._find(name)
        return value if gate is None else value * gate

    def choose(self, name: str, value: Tensor, otherwise: Tensor) -> Tensor:
        """`value` if the gate is open (1), `otherwise` if it is closed (0)."""
        gate = self._find(name)
        return value if gate is None else value * gate + otherwise * (1 - gate)

    def replace(self, name: str, value: Tensor) -> Tensor:
        """The tensor given under `name` instead of `value`, or `value` if there is none."""
        given = self._find(name)
        return value if given is None else given

    def _find(self, name: str) -> Tensor | None:
        return self._tensors.get(self._prefix + name)


OPEN = Gates({})
"""Nothing is switched off and nothing is dropped."""
