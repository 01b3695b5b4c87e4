"""One prompt of full length at a time, for engines whose file has no dynamic axis."""

from __future__ import annotations

import numpy as np

from export.runtimes.declaration import Arrays, Feeds, Run
from model.trace import trace_shapes


def row_by_row(run_one: Run, context_length: int, num_layers: int) -> Run:
    """`run_one`, which takes token_ids [1, context_length], extended to any batch of prompts.

    Each prompt is padded on the right, and the padding is cut off the results. The causal mask
    hides the padding from the prompt's positions.
    """
    axes = trace_shapes(num_layers)

    def run(feeds: Feeds) -> Arrays:
        token_ids = feeds["token_ids"]
        batch, sequence = token_ids.shape
        padded = np.zeros((batch, context_length), dtype=np.int64)
        padded[:, :sequence] = token_ids
        rows = [run_one({"token_ids": padded[index : index + 1]}) for index in range(batch)]
        return {
            name: _joined([_cut(row[name], axes[name], sequence) for row in rows], axes[name])
            for name in rows[0]
        }

    return run


def _cut(array: np.ndarray, axes: tuple[str, ...], sequence: int) -> np.ndarray:
    return array[tuple(slice(sequence) if axis == "T" else slice(None) for axis in axes)]


def _joined(arrays: list[np.ndarray], axes: tuple[str, ...]) -> np.ndarray:
    """Concatenated along the batch axis; a value without one is the same for every row."""
    return np.concatenate(arrays) if axes[0] == "B" else arrays[0]
