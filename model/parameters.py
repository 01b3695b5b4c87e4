"""Names and shapes of the network's weights, without torch.

The order and the names are the state_dict's; a weight matrix is stored as [out, in].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.errors import InputError
from model.values import weight_axes

Weights = Mapping[str, NDArray[np.floating[Any]]]
"""A parameter's name -> its values; what a state_dict holds, in NumPy."""

_LARGE = 10_000_000  # parameters


def parameter_shapes(config: MiniGPTConfig) -> dict[str, tuple[int, ...]]:
    """The shape of every parameter, in the order of the state_dict."""
    sizes = {
        "V": config.vocab_size,
        "L": config.context_length,
        "C": config.model_dim,
        "3C": 3 * config.model_dim,
        "F": config.ffn_dim,
    }
    return {
        name: tuple(sizes[axis] for axis in axes)
        for name, axes in weight_axes(config.num_layers).items()
    }


def parameter_count(config: MiniGPTConfig) -> int:
    """How many weights a network of these sizes has."""
    one, two = (_count(replace(config, num_layers=layers)) for layers in (1, 2))
    return one + (config.num_layers - 1) * (two - one)


def is_large(config: MiniGPTConfig) -> bool:
    """Whether one prompt takes long enough: of so large a network no more are run."""
    return parameter_count(config) > _LARGE


def _count(config: MiniGPTConfig) -> int:
    return sum(prod(shape) for shape in parameter_shapes(config).values())


def weights_of(model: Any) -> dict[str, NDArray[Any]]:
    """A MiniGPT's weights, copied to NumPy arrays.

    Raises:
        InputError: a precision that NumPy lacks, such as bfloat16, or no values (meta device).
    """
    return {name: _array(name, values) for name, values in model.state_dict().items()}


def check_values(weights: Mapping[str, Any]) -> None:
    """Raise InputError unless every value is a finite float32, as files require.

    weights: NumPy arrays or torch tensors on the CPU, by name.
    """
    for name, values in weights.items():
        dtype = _dtype_name(values)
        if dtype != "float32":
            raise InputError("weights_dtype", name=name, dtype=dtype)
        if not np.isfinite(np.asarray(values)).all():
            raise InputError("checkpoint_not_finite", name=name)


def _array(name: str, values: Any) -> NDArray[Any]:
    if not hasattr(values, "numpy"):  # of a quantized layer; the check of names rejects it
        return np.empty((), dtype=object)
    if values.is_meta:
        raise InputError("weights_nowhere", name=name)
    try:
        array: NDArray[Any] = values.numpy(force=True).copy()
    except TypeError as error:
        raise InputError("weights_dtype", name=name, dtype=_dtype_name(values)) from error
    return array


def _dtype_name(values: Any) -> str:
    return str(values.dtype).removeprefix("torch.")
