"""A MiniGPT as a file: `model.safetensors` with `config.json` beside it, never a pickle.

The weights file states sizes and words too, so it can be used alone. For every invalid file an
InputError says what is wrong; a file is read in full and checked before a model is changed.
Reading and writing weights needs no torch, only building a model from them does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import safetensors
import safetensors.numpy

from model.config import MiniGPTConfig
from model.errors import InputError
from model.gpt2.reading import Translation, translation
from model.older_names import currently_named
from model.parameters import Weights, check_values, parameter_shapes
from model.units import LONGEST
from model.vocabulary import Vocabulary
from model.weights_file import (
    CONFIG_FILE,
    METADATA_KEY,
    UNIT_KEY,
    WEIGHTS_FILE,
    WORDS_KEY,
    WeightsHeader,
    check_names,
    check_tensors,
    described_config,
    read_header,
    vocabulary_of,
    words_described,
)
from model.whole_file import write_whole


class Checkpoint(NamedTuple):
    """What a weights file and the `config.json` beside it hold, checked against each other."""

    config: MiniGPTConfig
    weights: Weights
    vocabulary: Vocabulary | None  # None: neither file states words


def state_bytes(
    config: MiniGPTConfig, weights: Weights, vocabulary: Vocabulary | None = None
) -> bytes:
    """The content of a `.safetensors` file that holds `weights` and the model's description.

    Raises:
        InputError: `read_checkpoint` would reject it: other names, shapes or dtypes than
            `config` needs, a value that is not finite, or a wrong number of words.
    """
    check_saved(config, weights, vocabulary)
    stated = json.dumps(description(config, vocabulary), ensure_ascii=False, sort_keys=True)
    arrays = {name: np.ascontiguousarray(value) for name, value in weights.items()}
    return safetensors.numpy.save(arrays, {METADATA_KEY: stated})


def description(config: MiniGPTConfig, vocabulary: Vocabulary | None = None) -> dict[str, Any]:
    """What `config.json` holds: the six arguments of `MiniGPT`, and the words if given."""
    return {**config.as_dict(), **words_described(vocabulary)}


def config_text(config: MiniGPTConfig, vocabulary: Vocabulary | None = None) -> str:
    """The content of `config.json`."""
    return json.dumps(description(config, vocabulary), ensure_ascii=False, indent=2) + "\n"


def write_folder(
    folder: Path, config: MiniGPTConfig, weights: Weights, vocabulary: Vocabulary | None
) -> None:
    """Write `config.json` and `model.safetensors` into `folder`, creating it if needed.

    Raises:
        InputError: see `state_bytes`; nothing was written.
    """
    content = state_bytes(config, weights, vocabulary)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / WEIGHTS_FILE, content)
    write_whole(folder / CONFIG_FILE, config_text(config, vocabulary).encode())


def put(checkpoint: Checkpoint, make: Callable[[dict[str, Any]], Any]) -> Any:
    """The model that `make` builds from the sizes, with weights and words, in evaluation mode."""
    import torch

    model = make(checkpoint.config.as_dict())
    state = {name: torch.tensor(np.asarray(value)) for name, value in checkpoint.weights.items()}
    model.load_state_dict(state, strict=True)
    model.vocabulary = checkpoint.vocabulary
    return model.eval()


def read_checkpoint(
    content: bytes,
    *,
    config: Mapping[str, Any] | None = None,
    vocabulary: Vocabulary | None = None,
) -> Checkpoint:
    """The checkpoint in a `.safetensors` file, without torch.

    config: the content of the `config.json` beside it; needed for files that state no sizes.
    vocabulary: the words the model must have been trained on; None accepts any.

    Raises:
        InputError: not safetensors, damaged, a value that is not finite, or see `check_header`.
    """
    header = read_header(content)
    translated = translation(header, config or header.description)
    sizes, words = check_header(translated.header, config, vocabulary)
    return Checkpoint(sizes, _arrays(content, translated), words)


def check_header(
    header: WeightsHeader,
    config: Mapping[str, Any] | None,
    vocabulary: Vocabulary | None = None,
) -> tuple[MiniGPTConfig, Vocabulary | None]:
    """Check a weights file against the `config.json` beside it; every reader calls this.

    Returns the sizes and the words.

    Raises:
        InputError: no sizes are stated, or the files state different ones; the words differ
            (their order counts), are not `vocab_size` many, or are not `vocabulary`'s; names,
            shapes or dtypes of the weights are not what the sizes need.
    """
    sizes = _stated_config(header, config)
    words = _stated_words(header, sizes, config, vocabulary)
    check_tensors(header, _expected_shapes(sizes, header), sizes.num_layers)
    return sizes, words


def _stated_config(header: WeightsHeader, config: Mapping[str, Any] | None) -> MiniGPTConfig:
    """The sizes, equal in both files; dropout does not affect the weights and may differ."""
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


def _stated_words(
    header: WeightsHeader,
    sizes: MiniGPTConfig,
    config: Mapping[str, Any] | None,
    wanted: Vocabulary | None,
) -> Vocabulary | None:
    """The words, equal in all files that state any; `wanted` if none does."""
    stated = [
        (description[WORDS_KEY], description.get(UNIT_KEY, LONGEST))
        for description in (header.description, config)
        if description is not None and description.get(WORDS_KEY) is not None
    ]
    if stated and any(words != stated[0] for words in stated):
        inside, beside = (_shown(words) for words, _ in stated)
        raise InputError("checkpoint_words_differ", config=beside, weights=inside)
    own = vocabulary_of(*stated[0]) if stated else None
    if wanted is not None and own not in (None, wanted):
        raise InputError("checkpoint_vocabulary", met=_shown(stated[0][0]), words=wanted.listed)
    if wanted is not None and sizes.vocab_size != len(wanted):
        raise InputError(
            "checkpoint_vocab_size",
            met=sizes.vocab_size,
            count=len(wanted),
            words=wanted.listed,
        )
    _check_words_count(sizes, own)
    return own or wanted


def _check_words_count(sizes: MiniGPTConfig, vocabulary: Vocabulary | None) -> None:
    if vocabulary is not None and len(vocabulary) != sizes.vocab_size:
        raise InputError("words_count", count=len(vocabulary), vocab_size=sizes.vocab_size)


def check_saved(config: MiniGPTConfig, weights: Weights, vocabulary: Vocabulary | None) -> None:
    """Raise InputError for whatever `read_checkpoint` would reject."""
    expected = parameter_shapes(config)
    check_names("save_names", list(expected), list(weights), config.num_layers)
    for name, shape in expected.items():
        met = weights[name].shape
        if met != shape:
            raise InputError("checkpoint_shape", name=name, met=list(met), expected=list(shape))
    check_values(weights)
    _check_words_count(config, vocabulary)


def _shown(words: Any) -> str:
    """Words as a file states them, cut to a readable length."""
    listed = isinstance(words, list) and all(isinstance(word, str) for word in words)
    return (" ".join(words) if listed else str(words))[:80]


def _expected_shapes(sizes: MiniGPTConfig, header: WeightsHeader) -> dict[str, tuple[int, ...]]:
    """Names and shapes of a network of `sizes`; the file's own size bounds the cost."""
    # A file that claims more blocks than it has tensors is invalid whatever their names are.
    layers = min(sizes.num_layers, len(header.shapes) + 1)
    return parameter_shapes(replace(sizes, num_layers=layers))


def _arrays(content: bytes, translated: Translation) -> Weights:
    """The weights under our names, in the file's order if they are stored so."""
    try:
        arrays = currently_named(safetensors.numpy.load(content))
    except (safetensors.SafetensorError, ValueError) as error:
        raise InputError("checkpoint_broken", reason=str(error)[:120]) from error
    translated.check(arrays.__getitem__)
    weights = {name: translated.read(name, arrays.__getitem__) for name in translated.sources}
    check_values(weights)
    return weights
