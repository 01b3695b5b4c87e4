"""How a switch reaches the network: tensors its values are multiplied with.

A gate that is not given leaves its value alone and adds no operation, so the plain network,
and the graph exported from it, hold no trace of any of this.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor


class Gates:
    """Gate tensors by name, as seen from one place of the network.

    The names are those of `model.switches.gate_shapes`; `within` steps into a block, where
    `ln1.gate` is `blocks.0.ln1.gate`.
    """

    def __init__(self, tensors: Mapping[str, Tensor], prefix: str = "") -> None:
        self._tensors = tensors
        self._prefix = prefix

    def within(self, prefix: str) -> Gates:
        """The gates whose names start with `prefix`, named without it."""
        return Gates(self._tensors, self._prefix + prefix)

    def scale(self, name: str, value: Tensor) -> Tensor:
        """`value` times its gate: 1 lets it through, 0 stops it, a dropout mask thins it."""
        gate = self._find(name)
        return value if gate is None else value * gate

    def choose(self, name: str, value: Tensor, otherwise: Tensor) -> Tensor:
        """`value` behind an open gate (1), `otherwise` behind a closed one (0)."""
        gate = self._find(name)
        return value if gate is None else value * gate + otherwise * (1 - gate)

    def replace(self, name: str, value: Tensor) -> Tensor:
        """The given tensor itself, or `value` where none is given."""
        given = self._find(name)
        return value if given is None else given

    def _find(self, name: str) -> Tensor | None:
        return self._tensors.get(self._prefix + name)


OPEN = Gates({})
"""Nothing is switched off and nothing is dropped."""
