"""How much of a KV cache is still valid: the common prefix of two windows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


def reusable(seen: Ids, window: Ids) -> int:
    """The length of the common prefix of `window` and `seen`, over all rows.

    Both [batch, sequence]. At most all but the last token, which is always computed because
    logits are not cached. 0 if the batch sizes differ.
    """
    if len(seen) != len(window):
        return 0
    limit = min(seen.shape[1], window.shape[1] - 1)
    same = (window[:, :limit] == seen[:, :limit]).all(axis=0)
    return limit if same.all() else int(same.argmin())
