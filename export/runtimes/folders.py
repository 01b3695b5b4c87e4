"""Loaders that take a whole folder (`python -m export hub`) and continue texts by themselves.

A loader answers what it is fed: `token_ids` with logits; `texts`, prompts as a JSON list in UTF-8,
with what it appends to each; `continue_ids` with whole rows of ids.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from export.runtimes.declaration import Arrays, Feeds, Run

Ids = NDArray[np.int64]

FOLDER = "hub"
"""The form of a whole folder."""

TEXTS, IDS = "texts", "ids"
"""The uses of a loader: it continues texts, or rows of ids."""

AS_TEXT = {"logits": FOLDER, TEXTS: FOLDER}
AS_IDS = {"logits": FOLDER, IDS: FOLDER}

TOKEN_IDS, TEXT_FEED, IDS_FEED = "token_ids", "texts", "continue_ids"


def folder_run(
    logits: Callable[[Ids], NDArray[np.float32]],
    texts: Callable[[list[str]], list[str]] | None = None,
    ids: Callable[[Ids], Ids] | None = None,
) -> Run:
    """A loader's run from its functions.

    logits: ids [batch, sequence] -> [batch, sequence, vocab_size]. texts: prompts -> what is
    appended to each, up to the end of the context. ids: rows -> rows of the whole context.
    """

    def run(feeds: Feeds) -> Arrays:
        if TEXT_FEED in feeds and texts is not None:
            return {TEXT_FEED: packed_texts(texts(unpacked_texts(feeds[TEXT_FEED])))}
        if IDS_FEED in feeds and ids is not None:
            return {IDS_FEED: ids(feeds[IDS_FEED])}
        return {"logits": logits(feeds[TOKEN_IDS])}

    return run


def packed_texts(lines: list[str]) -> NDArray[np.uint8]:
    """Texts as one array of UTF-8."""
    return np.frombuffer(json.dumps(lines).encode(), np.uint8)


def unpacked_texts(array: NDArray[np.uint8]) -> list[str]:
    """The texts that were packed."""
    lines: list[str] = json.loads(array.tobytes())
    return lines
