"""What of a cache still holds: the tokens that stand where they stood."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


def reusable(seen: Ids, window: Ids) -> int:
    """How many tokens of `window`, from the left, stand where they stood in `seen`.

    Both [batch, sequence]. At most all but the last, which is always computed: nothing is kept
    of its logits. 0 if the batches differ.
    """
    if len(seen) != len(window):
        return 0
    limit = min(seen.shape[1], window.shape[1] - 1)
    same = (window[:, :limit] == seen[:, :limit]).all(axis=0)
    return limit if same.all() else int(same.argmin())
