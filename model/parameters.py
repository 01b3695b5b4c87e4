"""Names and shapes of the network's weights, without torch.

The order and the names are the state_dict's; a weight matrix is stored as [out, in].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.errors import InputError
from model.trace import block_key

Weights = Mapping[str, NDArray[np.floating[Any]]]
"""A parameter's name -> its values; what a state_dict holds, in NumPy."""


def parameter_shapes(config: MiniGPTConfig) -> dict[str, tuple[int, ...]]:
    """The shape of every parameter, in the order of the state_dict."""
    channels, vocab_size = config.model_dim, config.vocab_size
    blocks = {
        block_key(index, name): shape
        for index in range(config.num_layers)
        for name, shape in _block_shapes(channels, config.ffn_dim).items()
    }
    return {
        "token_embedding.weight": (vocab_size, channels),
        "position_embedding.weight": (config.context_length, channels),
        **blocks,
        "final_norm.weight": (channels,),
        "final_norm.bias": (channels,),
        "lm_head.weight": (vocab_size, channels),
        "lm_head.bias": (vocab_size,),
    }


def _block_shapes(channels: int, hidden: int) -> dict[str, tuple[int, ...]]:
    return {
        "ln1.weight": (channels,),
        "ln1.bias": (channels,),
        "attention.qkv.weight": (3 * channels, channels),
        "attention.output.weight": (channels, channels),
        "ln2.weight": (channels,),
        "ln2.bias": (channels,),
        "ffn.expand.weight": (hidden, channels),
        "ffn.expand.bias": (hidden,),
        "ffn.contract.weight": (channels, hidden),
        "ffn.contract.bias": (channels,),
    }


def weights_of(model: Any) -> dict[str, NDArray[Any]]:
    """A MiniGPT's weights as NumPy arrays of their own.

    Raises:
        InputError: a precision that NumPy does not have, such as bfloat16.
    """
    return {name: _array(name, values) for name, values in model.state_dict().items()}


def check_values(weights: Mapping[str, Any]) -> None:
    """Raise InputError unless every value is a finite float32: what files are made of.

    weights: NumPy arrays or torch tensors on the CPU, by name.
    """
    for name, values in weights.items():
        dtype = _dtype_name(values)
        if dtype != "float32":
            raise InputError("weights_dtype", name=name, dtype=dtype)
        if not np.isfinite(np.asarray(values)).all():
            raise InputError("checkpoint_not_finite", name=name)


def _array(name: str, values: Any) -> NDArray[Any]:
    try:
        array: NDArray[Any] = values.numpy(force=True).copy()
    except TypeError as error:
        raise InputError("weights_dtype", name=name, dtype=_dtype_name(values)) from error
    return array


def _dtype_name(values: Any) -> str:
    return str(values.dtype).removeprefix("torch.")
