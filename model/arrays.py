"""Tensors as NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def as_array(tensor: Any) -> NDArray[Any]:
    """The values of a torch tensor; half precision as float32, which holds it exactly.

    NumPy has no bfloat16. Without a conversion the array shares the tensor's memory.
    """
    import torch

    if tensor.dtype in (torch.float16, torch.bfloat16):
        tensor = tensor.float()
    return np.asarray(tensor.detach().numpy())
