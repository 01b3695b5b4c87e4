"""Tensors as NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def as_array(tensor: Any) -> NDArray[Any]:
    """The values of a torch tensor; half precisions as float32, which holds them exactly.

    NumPy has no bfloat16. The memory is the tensor's own where the precision stays.
    """
    import torch

    if tensor.dtype in (torch.float16, torch.bfloat16):
        tensor = tensor.float()
    return np.asarray(tensor.detach().numpy())
