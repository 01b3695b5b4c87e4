"""A MiniGPT's weights and config.json in GPT-2's names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.gpt2.folding import Folding
from model.gpt2.names import ATTENTION_BIASES, BODY, HEAD, HEAD_BIAS, SHIFT, block, body
from model.gpt2.reading import ORIGINAL, folded_digest
from model.gpt2.settings import gpt2_settings
from model.parameters import Weights
from model.vocabulary import Vocabulary
from model.weights_file import METADATA_KEY, words_described

Array = NDArray[Any]

_FORMAT = {"format": "pt"}  # transformers refuses a file that does not say so
_LENGTH_BYTES = 8


def gpt2_tensors(config: MiniGPTConfig, weights: Weights, shift: Array) -> dict[str, Array]:
    """The tensors of `GPT2LMHeadModel`: matrices as [in, out], attention biases of zeros.

    shift: the last LayerNorm's, with the bias of `lm_head` folded in.
    """
    ours = {**weights, SHIFT: shift}
    tensors: dict[str, Array] = {}
    for entry in body(config.num_layers):
        array = ours[entry.ours]
        tensors[BODY + entry.theirs] = array.T if entry.is_matrix else array
    for index in range(config.num_layers):
        for name, thirds in ATTENTION_BIASES.items():
            zeros = np.zeros(thirds * config.model_dim, np.float32)
            tensors[BODY + block(index, name)] = zeros
    return {**tensors, HEAD: weights[HEAD]}


def gpt2_description(
    config: MiniGPTConfig, weights: Weights, folded: Folding, vocabulary: Vocabulary | None
) -> dict[str, Any]:
    """What `config.json` holds: GPT-2's keys, the words, and the bias that was folded."""
    stated: dict[str, Any] = gpt2_settings(config)
    # A browser would take an 8-bit file by default.
    stated["transformers.js_config"] = {"dtype": "fp32"}
    stated |= words_described(vocabulary)
    if np.asarray(weights[HEAD_BIAS]).any():
        stated[ORIGINAL] = {
            HEAD_BIAS: _exact(weights[HEAD_BIAS]),
            SHIFT: _exact(weights[SHIFT]),
            "of": folded_digest(weights[HEAD], folded.shift),
        }
    return stated


def gpt2_file(tensors: Mapping[str, Array], description: Mapping[str, Any]) -> bytes:
    """The content of `model.safetensors`: the same bytes every time.

    The library writes several keys of metadata in an order that changes; here they are sorted.
    """
    arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    content = safetensors.numpy.save(arrays, _FORMAT)
    length = int.from_bytes(content[:_LENGTH_BYTES], "little")
    header = json.loads(content[_LENGTH_BYTES : _LENGTH_BYTES + length])
    stated = json.dumps(description, ensure_ascii=False, sort_keys=True)
    header["__metadata__"] = {**_FORMAT, METADATA_KEY: stated}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)  # the values stay aligned
    size = len(text).to_bytes(_LENGTH_BYTES, "little")
    return b"".join((size, text, memoryview(content)[_LENGTH_BYTES + length :]))


def _exact(array: Array) -> list[float]:
    """Numbers whose JSON gives the same float32 again."""
    return [float(value) for value in np.asarray(array, np.float32)]
