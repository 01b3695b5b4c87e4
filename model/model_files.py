"""Saving and loading a MiniGPT in the files of `model.checkpoint`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.checkpoint import put, read_checkpoint, state_bytes, write_folder
from model.errors import InputError
from model.network import MiniGPT
from model.parameters import weights_of
from model.vocabulary import Vocabulary
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE, read_description, read_file


def weights_bytes(model: MiniGPT, vocabulary: Vocabulary | None = None) -> bytes:
    """`model` as the content of a `.safetensors` file; the same bytes every time.

    vocabulary: the words to state instead of the model's own.

    Raises:
        InputError: `model` is a wrapper around a MiniGPT, or see `state_bytes`.
    """
    _check_unwrapped(model)
    return state_bytes(model.config, weights_of(model), vocabulary or model.vocabulary)


def save_folder(model: MiniGPT, folder: Path, vocabulary: Vocabulary | None = None) -> None:
    """Write `config.json` and `model.safetensors` into `folder`, creating it if needed.

    Raises:
        InputError: see `weights_bytes`; nothing was written.
    """
    _check_unwrapped(model)
    write_folder(folder, model.config, weights_of(model), vocabulary or model.vocabulary)


def load_folder(folder: Path, vocabulary: Vocabulary | None = None) -> MiniGPT:
    """The model that `save_folder` wrote, in evaluation mode.

    Raises:
        InputError: a file is missing, broken, or states other sizes or words.
    """
    return load_bytes(
        read_file(folder / WEIGHTS_FILE),
        config=read_description(read_file(folder / CONFIG_FILE)),
        vocabulary=vocabulary,
    )


def load_bytes(
    content: bytes,
    *,
    config: Mapping[str, Any] | None = None,
    vocabulary: Vocabulary | None = None,
) -> MiniGPT:
    """A model, in evaluation mode, from the content of a `.safetensors` file.

    Raises:
        InputError: see `read_checkpoint`.
    """
    checkpoint = read_checkpoint(content, config=config, vocabulary=vocabulary)
    loaded: MiniGPT = put(checkpoint, lambda sizes: MiniGPT(**sizes))
    return loaded


def _check_unwrapped(model: Any) -> None:
    if not isinstance(model, MiniGPT):
        raise InputError("save_wrapped", kind=type(model).__name__)
