"""Names and axes of the values that every engine outputs, from the table of the network."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType

from model.values import placed_values


@functools.cache
def trace_shapes(num_layers: int) -> Mapping[str, tuple[str, ...]]:
    """The axes of every trace value, in the order in which they are computed; B is batch."""
    return MappingProxyType(
        {
            key: (*(("B",) if placed.value.has_batch else ()), *placed.value.axes)
            for key, placed in placed_values(num_layers).items()
            if placed.value.is_traced
        }
    )
