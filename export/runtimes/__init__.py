"""Engines that run MiniGPT, one module each.

Engines in this process are a `Runner`: token ids [batch, sequence] in, NumPy arrays by trace name
out. The others run in worker processes; each module declares them (see `declaration`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import check_token_ids

Ids = NDArray[np.int64]
Arrays = dict[str, NDArray[Any]]
Runner = Callable[[Ids], Arrays]


def checked(run: Runner, vocab_size: int, context_length: int) -> Runner:
    """`run` with the input checks that engines lack.

    ONNX Runtime, for example, reads id -1 as the last word and accepts an empty batch.

    Raises (when called):
        InputError: dtype, rank, length or an id is wrong.
    """

    def checked_run(token_ids: Ids) -> Arrays:
        check_token_ids(token_ids, vocab_size, context_length)
        return run(token_ids)

    return checked_run
