"""A MiniGPT as a file: `model.safetensors` with `config.json` beside, never a pickle.

The weights file states sizes and words too, so it can travel alone. Every wrong file is
explained by an InputError; a file is read in full and checked before a model is touched.
Reading and writing weights needs no torch, only making a model of them does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import safetensors
import safetensors.numpy

from model.config import MiniGPTConfig
from model.errors import InputError
from model.parameters import Weights, parameter_shapes, weights_of
from model.vocabulary import Vocabulary
from model.weights_file import (
    CONFIG_FILE,
    METADATA_KEY,
    WEIGHTS_FILE,
    WeightsHeader,
    check_tensors,
    described_config,
    read_description,
    read_header,
)
from model.whole_file import write_whole

if TYPE_CHECKING:
    from model.network import MiniGPT


def weights_bytes(model: MiniGPT, vocabulary: Vocabulary | None = None) -> bytes:
    """`model` as the content of a `.safetensors` file; the same bytes every time."""
    return state_bytes(model.config, weights_of(model), vocabulary)


def state_bytes(
    config: MiniGPTConfig, weights: Weights, vocabulary: Vocabulary | None = None
) -> bytes:
    """The content of a `.safetensors` file that holds `weights` and says what they are of."""
    stated = json.dumps(description(config, vocabulary), ensure_ascii=False, sort_keys=True)
    arrays = {name: np.ascontiguousarray(value) for name, value in weights.items()}
    return safetensors.numpy.save(arrays, {METADATA_KEY: stated})


def description(config: MiniGPTConfig, vocabulary: Vocabulary | None = None) -> dict[str, Any]:
    """What `config.json` holds: the six arguments of `MiniGPT`, and the words if given."""
    words = {} if vocabulary is None else {"vocabulary": list(vocabulary.words)}
    return {**config.as_dict(), **words}


def config_text(config: MiniGPTConfig, vocabulary: Vocabulary | None = None) -> str:
    """The content of `config.json`."""
    return json.dumps(description(config, vocabulary), ensure_ascii=False, indent=2) + "\n"


def save_folder(model: MiniGPT, folder: Path, vocabulary: Vocabulary | None = None) -> None:
    """Write `config.json` and `model.safetensors` into `folder`, made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / WEIGHTS_FILE, weights_bytes(model, vocabulary))
    write_whole(folder / CONFIG_FILE, config_text(model.config, vocabulary).encode())


def load_folder(folder: Path, vocabulary: Vocabulary | None = None) -> MiniGPT:
    """The model that `save_folder` wrote, in evaluation mode.

    Raises:
        InputError: a file is missing, broken, or states other sizes or words.
    """
    return load_bytes(
        _read(folder / WEIGHTS_FILE),
        config=read_description(_read(folder / CONFIG_FILE)),
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
        InputError: see `read_weights`.
    """
    from model.network import MiniGPT

    sizes, weights = read_weights(content, config=config, vocabulary=vocabulary)
    model = MiniGPT(**sizes.as_dict())
    _put(weights, model)
    return model.eval()


def load_weights(model: MiniGPT, content: bytes) -> None:
    """Put the weights of a `.safetensors` file into `model`, all or none.

    Raises:
        InputError: not safetensors, damaged, other names, shapes or dtypes than the model's,
            or a value that is not finite.
    """
    header = read_header(content)
    check_tensors(header, parameter_shapes(model.config), model.config.num_layers)
    _put(_arrays(content), model)


def read_weights(
    content: bytes,
    *,
    config: Mapping[str, Any] | None = None,
    vocabulary: Vocabulary | None = None,
) -> tuple[MiniGPTConfig, Weights]:
    """Sizes and weights of a `.safetensors` file, without torch.

    config: what a `config.json` beside it says; needed for files that state no sizes.
    vocabulary: the words the model must have been trained on; None accepts any.

    Raises:
        InputError: not safetensors, damaged, no sizes stated, or two that differ, words other
            than `vocabulary`, other names, shapes or dtypes than the sizes need, or a value
            that is not finite.
    """
    header = read_header(content)
    sizes = stated_config(header, config)
    check_vocabulary(header, sizes, config, vocabulary)
    check_tensors(header, expected_shapes(sizes, header), sizes.num_layers)
    return sizes, _arrays(content)


def stated_config(header: WeightsHeader, config: Mapping[str, Any] | None) -> MiniGPTConfig:
    """The sizes that the weights and `config` state.

    Raises:
        InputError: neither does, or they differ (dropout is no part of the weights and may).
    """
    inside = None if header.description is None else described_config(header.description)
    beside = None if config is None else described_config(dict(config))
    sizes = beside or inside
    if sizes is None:
        raise InputError("checkpoint_no_config")
    for name, value in sizes.as_dict().items():
        met = value if inside is None else getattr(inside, name)
        if met != value and name != "dropout":
            raise InputError("checkpoint_config_differs", name=name, config=value, weights=met)
    return sizes


def check_vocabulary(
    header: WeightsHeader,
    sizes: MiniGPTConfig,
    config: Mapping[str, Any] | None,
    vocabulary: Vocabulary | None,
) -> None:
    """Raise InputError if a description states other words, or the count of words differs."""
    if vocabulary is None:
        return
    words = " ".join(vocabulary.words)
    for stated in (header.description, config):
        met = None if stated is None else stated.get("vocabulary")
        if met is not None and met != list(vocabulary.words):
            raise InputError("checkpoint_vocabulary", met=str(met)[:80], words=words)
    if sizes.vocab_size != len(vocabulary):
        raise InputError(
            "checkpoint_vocab_size", met=sizes.vocab_size, count=len(vocabulary), words=words
        )


def expected_shapes(sizes: MiniGPTConfig, header: WeightsHeader) -> dict[str, tuple[int, ...]]:
    """Names and shapes of a network of `sizes`, at a cost that the file's own size bounds."""
    # A file that claims more blocks than it has tensors is wrong whatever they are called.
    layers = min(sizes.num_layers, len(header.shapes) + 1)
    return parameter_shapes(replace(sizes, num_layers=layers))


def _arrays(content: bytes) -> Weights:
    try:
        arrays = safetensors.numpy.load(content)
    except (safetensors.SafetensorError, ValueError) as error:
        raise InputError("checkpoint_broken", reason=str(error)[:120]) from error
    for name, value in arrays.items():
        if not np.isfinite(value).all():
            raise InputError("checkpoint_not_finite", name=name)
    return arrays


def _put(weights: Weights, model: MiniGPT) -> None:
    import torch

    state = {name: torch.tensor(np.asarray(value)) for name, value in weights.items()}
    model.load_state_dict(state, strict=True)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError("checkpoint_missing", file=path.name) from error
