"""The files of a folder that the usual loaders take, by their path in it.

`config.json`, `generation_config.json`, `model.safetensors`: transformers. `tokenizer.json`,
`tokenizer_config.json`: the words, for all that read text. `onnx/model.onnx`: optimum and
transformers.js; `onnx/model_quantized.onnx`: the same with matrices in 8 bits, not exact.
`genai_config.json` with `onnx/model_genai.onnx`: onnxruntime-genai. A card and the licence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from model.checkpoint import check_saved, config_text, state_bytes
from model.config import MiniGPTConfig
from model.errors import InputError
from model.gpt2.card import folded_card, plain_card
from model.gpt2.folding import Folding, folding
from model.gpt2.graph import gpt2_graph
from model.gpt2.names import SHIFT
from model.gpt2.quantising import Logits, Loss, eight_bit_loss
from model.gpt2.writing import gpt2_description, gpt2_file, gpt2_tensors
from model.parameters import Weights
from model.tokenizer import tokenizer_definition
from model.vocabulary import Vocabulary
from model.weights_file import CONFIG_FILE, WEIGHTS_FILE

CARD_FILE, LICENCE_FILE = "README.md", "LICENSE"
ONNX_FILE = "onnx/model.onnx"
EIGHT_BIT_FILE = "onnx/model_quantized.onnx"
GENAI_FILE = "onnx/model_genai.onnx"
GENAI_CONFIG = "genai_config.json"
LARGEST_ONNX = 2**31 - 1
"""Bytes of one protobuf message; weights of more are left out of `onnx/`."""

_LICENCE = Path(__file__).parents[2] / LICENCE_FILE

Array = NDArray[Any]


@dataclass(frozen=True)
class FolderFiles:
    """The files by path, each made when it is asked for: together they may not fit into memory.

    folding: how the bias of `lm_head` was folded; not exact: the folder is in our own form.
    """

    files: Mapping[str, Callable[[], bytes]]
    folding: Folding

    def write(self, folder: Path, write: Callable[[Path, bytes], None]) -> None:
        """Write every file."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, content())


def folder_files(
    config: MiniGPTConfig,
    weights: Weights,
    vocabulary: Vocabulary | None,
    logits: Logits,
    *,
    plain: bool = False,
) -> FolderFiles:
    """The folder of a model.

    logits: runs the network with other weights, to measure what 8 bits change.
    If the bias can't be folded exactly, or `plain` is set, it is in our own form: `config.json`
    with our sizes and `model.safetensors` with our names, which only `MiniGPT` reads.

    Raises:
        InputError: `read_checkpoint` would reject the weights; see `check_saved`.
    """
    check_saved(config, weights, vocabulary)  # everything, before anything is written
    folded = folding(weights)
    if plain or not folded.is_exact:
        return FolderFiles(_plain(config, weights, vocabulary, folded), folded)
    return FolderFiles(_folded(config, weights, vocabulary, folded, logits), folded)


def check_folds(folded: Folding, config: MiniGPTConfig) -> None:
    """Raise InputError unless the bias of `lm_head` could be folded exactly."""
    if not folded.is_exact:
        raise InputError(
            "folding",
            error=f"{folded.error:.2g}",
            words=config.vocab_size,
            channels=config.model_dim,
        )


def _plain(
    config: MiniGPTConfig, weights: Weights, vocabulary: Vocabulary | None, folded: Folding
) -> dict[str, Callable[[], bytes]]:
    return {
        CONFIG_FILE: config_text(config, vocabulary).encode,
        WEIGHTS_FILE: lambda: state_bytes(config, weights, vocabulary),
        CARD_FILE: plain_card(config, vocabulary, folded).encode,
        LICENCE_FILE: _LICENCE.read_bytes,
    }


def _folded(
    config: MiniGPTConfig,
    weights: Weights,
    vocabulary: Vocabulary | None,
    folded: Folding,
    logits: Logits,
) -> dict[str, Callable[[], bytes]]:
    tensors = gpt2_tensors(config, weights, folded.shift)
    description = gpt2_description(config, weights, folded, vocabulary)
    files: dict[str, Callable[[], bytes]] = {
        CONFIG_FILE: lambda: _json(description),
        "generation_config.json": lambda: _json(generation_settings(config)),
        WEIGHTS_FILE: lambda: gpt2_file(tensors, description),
    }
    if vocabulary is not None:
        files["tokenizer.json"] = lambda: _json(tokenizer_definition(vocabulary))
        files["tokenizer_config.json"] = lambda: _json(tokenizer_settings())
    has_onnx = sum(array.nbytes for array in tensors.values()) < LARGEST_ONNX
    loss: Loss | None = None
    if has_onnx:
        loss = eight_bit_loss(config, {**weights, SHIFT: folded.shift}, logits)
        files[ONNX_FILE] = lambda: gpt2_graph(config, tensors).SerializeToString()
        files[EIGHT_BIT_FILE] = lambda: gpt2_graph(
            config, tensors, eight_bits=True
        ).SerializeToString()
        files[GENAI_CONFIG] = lambda: _json(genai_settings(config))
        files[GENAI_FILE] = lambda: gpt2_graph(config, tensors, with_end=True).SerializeToString()
    files[CARD_FILE] = folded_card(config, vocabulary, folded, loss).encode
    files[LICENCE_FILE] = _LICENCE.read_bytes
    return files


def generation_settings(config: MiniGPTConfig) -> dict[str, Any]:
    """`generation_config.json`: the most probable word, up to the end of the context.

    Sampling from the single most probable word, since pipelines sample unless a file says more
    than their default; no word ends a text.
    """
    return {
        "bos_token_id": None,
        "do_sample": True,
        "eos_token_id": None,
        "max_length": config.context_length,
        "top_k": 1,
    }


def tokenizer_settings() -> dict[str, Any]:
    """`tokenizer_config.json`: everything is in `tokenizer.json`.

    Without model_max_length: transformers.js would silently cut a longer prompt to it.
    """
    return {"clean_up_tokenization_spaces": False, "tokenizer_class": "PreTrainedTokenizerFast"}


def genai_settings(config: MiniGPTConfig) -> dict[str, Any]:
    """`genai_config.json`; the end of text is an id after the last word, see `gpt2_graph`."""
    end = config.vocab_size
    return {
        "model": {
            # Its cache has keys and values apart; that of genai's "gpt2" does not.
            "type": "llama",
            "bos_token_id": end,
            "eos_token_id": end,
            "pad_token_id": end,
            "context_length": config.context_length,
            "vocab_size": config.vocab_size + 1,
            "decoder": {
                "session_options": {"provider_options": []},
                "filename": GENAI_FILE,
                "head_size": config.head_size,
                "hidden_size": config.model_dim,
                "num_attention_heads": config.num_heads,
                "num_key_value_heads": config.num_heads,
                "num_hidden_layers": config.num_layers,
                "inputs": {
                    "input_ids": "input_ids",
                    "attention_mask": "attention_mask",
                    "position_ids": "position_ids",
                    "past_key_names": "past_key_values.%d.key",
                    "past_value_names": "past_key_values.%d.value",
                },
                "outputs": {
                    "logits": "logits",
                    "present_key_names": "present.%d.key",
                    "present_value_names": "present.%d.value",
                },
            },
        },
        "search": {
            "do_sample": False,
            "max_length": config.context_length,
            "past_present_share_buffer": False,
        },
    }


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
