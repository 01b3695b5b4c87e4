"""`python -m export hub`: a folder that transformers, optimum, transformers.js and others load.

`model.gpt2` makes the files, as `save_pretrained` does; here its ONNX files are proven first.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from export.compare import ABSOLUTE_BOUND, Difference, compare, failures, largest
from export.precision import bounds, own_distance
from export.runtimes.onnx_runtime import session_for
from export.runtimes.pytorch import pytorch_runner
from export.shipped import DisagreementError
from model.console import check_folder
from model.errors import InputError
from model.gpt2.folder import GENAI_FILE, ONNX_FILE, FolderFiles, check_folds
from model.gpt2.graph import cache_inputs
from model.network import MiniGPT
from model.parameters import is_large
from model.shipped import SHIPPED
from model.whole_file import write_whole

_PROMPTS = 64
_LOGITS = "logits"

Ids = NDArray[np.int64]


def chosen_model(name: str) -> MiniGPT:
    """A shipped model by name, or the one in a folder.

    Raises:
        InputError: there is neither, or the folder does not hold a model.
    """
    if name in SHIPPED:
        return SHIPPED[name].load()
    if not Path(name).expanduser().is_dir():
        choices = ", ".join(SHIPPED)
        raise InputError("choice", name="--model", choices=f"{choices}, FOLDER", value=repr(name))
    model: MiniGPT = MiniGPT.from_pretrained(Path(name))
    return model


def write_hub(model: MiniGPT, folder: Path, *, plain: bool = False) -> Difference | None:
    """Write the folder; return the largest difference of its logits, None if it has no ONNX file.

    plain: in our own form, which keeps the bias of `lm_head`.

    Raises:
        InputError: the bias can't be folded exactly and `plain` is not set; nothing is written.
        DisagreementError: ONNX Runtime does not agree with PyTorch; nothing is written.
    """
    made, worst = proven_folder(model, plain=plain)
    if not plain:
        check_folds(made.folding, model.config)
    check_folder(folder)
    made.write(folder, write_whole)
    return worst


def proven_folder(model: MiniGPT, *, plain: bool = False) -> tuple[FolderFiles, Difference | None]:
    """The folder's files, and the largest difference of its logits if it has ONNX files.

    Where the bias can't be folded exactly it is in our own form.

    Raises:
        InputError: the weights can't be saved.
        DisagreementError: ONNX Runtime does not agree with PyTorch.
    """
    made = model.folder_files(plain=plain)
    # A large network's second file, which is the first with one more logit, is not run too.
    names = [ONNX_FILE] if is_large(model.config) else [ONNX_FILE, GENAI_FILE]
    proven = {name: made.files[name]() for name in names if name in made.files}
    differences = [
        difference for file in proven.values() for difference in _differences(model, made, file)
    ]
    if failed := failures(differences):
        raise DisagreementError(ONNX_FILE, failed[0])
    kept = {name: partial(bytes, content) for name, content in proven.items()}
    files = FolderFiles({**made.files, **kept}, made.folding)
    return files, largest(differences) if differences else None


def _differences(model: MiniGPT, made: FolderFiles, file: bytes) -> list[Difference]:
    """The logits of prompts of every length, with and without earlier tokens."""
    prompts = _prompts(model)
    bound = max(ABSOLUTE_BOUND, bounds(own_distance(model, [_LOGITS], prompts))[_LOGITS])
    reference = pytorch_runner(model, [_LOGITS])
    run = _Session(model, file)
    found: list[Difference] = []
    for token_ids in prompts:
        expected = reference(token_ids)[_LOGITS]
        whole = run(token_ids, 0) + np.float32(made.folding.constant)
        found += compare({_LOGITS: expected}, {_LOGITS: whole}, bound)
        if token_ids.shape[1] > 1:
            last = run(token_ids, token_ids.shape[1] - 1) + np.float32(made.folding.constant)
            found += compare({_LOGITS: expected[:, -1:]}, {_LOGITS: last}, bound)
    return found


def _prompts(model: MiniGPT) -> list[Ids]:
    config, draw = model.config, np.random.default_rng(0)
    longest = min(config.context_length, 8)
    lengths = [longest] if is_large(config) else range(1, longest + 1)
    count = 1 if is_large(config) else _PROMPTS
    return [draw.integers(0, config.vocab_size, (count, length)) for length in lengths]


class _Session:
    """The file in ONNX Runtime: logits [batch, sequence, vocab_size]."""

    def __init__(self, model: MiniGPT, file: bytes) -> None:
        self._session = session_for(file)
        self._config = model.config

    def __call__(self, token_ids: Ids, past: int) -> NDArray[np.float32]:
        """The logits after the first `past` tokens, which are given as keys and values."""
        shape = (len(token_ids), self._config.num_heads, 0, self._config.head_size)
        names = cache_inputs(self._config.num_layers)
        caches = [np.zeros(shape, np.float32) for _ in names]
        if past:
            caches = self._run(token_ids[:, :past], caches)[1:]
        logits: NDArray[np.float32] = self._run(token_ids[:, past:], caches)[0]
        return logits[:, :, : self._config.vocab_size]

    def _run(self, token_ids: Ids, caches: list[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        batch, sequence = token_ids.shape
        past = caches[0].shape[2]
        positions = np.tile(np.arange(past, past + sequence), (batch, 1))
        feeds = {
            "input_ids": token_ids,
            "attention_mask": np.ones((batch, past + sequence), np.int64),
            "position_ids": positions,
            **dict(zip(cache_inputs(self._config.num_layers), caches, strict=True)),
        }
        results: list[NDArray[np.float32]] = self._session.run(None, feeds)
        return results
