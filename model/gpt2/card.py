"""The model card of a folder, in every language."""

from __future__ import annotations

import json

from languages import LANGUAGES, document
from model.config import MiniGPTConfig
from model.gpt2.folding import Folding
from model.gpt2.quantising import Loss
from model.vocabulary import Vocabulary

_HEAD = """---
library_name: {library}
license: mit
pipeline_tag: text-generation
tags:
- education
---

# MiniGPT

"""


def folded_card(
    config: MiniGPTConfig, vocabulary: Vocabulary | None, folded: Folding, loss: Loss | None
) -> str:
    """The card of a folder that GPT-2's loaders take. loss: of the 8-bit file, if there is one."""
    words = _words(vocabulary)
    first = json.dumps(vocabulary.words[0] if vocabulary is not None else "", ensure_ascii=False)
    parts = [
        document(language, "folder_card").format(
            **_sizes(config),
            words=words,
            prompt=first,
            new=config.context_length - 1,
            constant=f"{folded.constant:.6g}",
            eight_bits=_eight_bits(language, loss),
        )
        for language in LANGUAGES[::-1]  # English first, as on the Hub
    ]
    return _HEAD.format(library="transformers") + "\n".join(parts)


def plain_card(config: MiniGPTConfig, vocabulary: Vocabulary | None, folded: Folding) -> str:
    """The card of a folder in our own form, which says what folding would change."""
    parts = [
        document(language, "plain_card").format(
            **_sizes(config), words=_words(vocabulary), error=f"{folded.error:.2g}"
        )
        for language in LANGUAGES[::-1]
    ]
    return _HEAD.format(library="mini-gpt") + "\n".join(parts)


def _sizes(config: MiniGPTConfig) -> dict[str, object]:
    return config.as_dict()


def _words(vocabulary: Vocabulary | None) -> str:
    return "–" if vocabulary is None else vocabulary.listed


def _eight_bits(language: str, loss: Loss | None) -> str:
    if loss is None:
        return document(language, "folder_card_no_onnx").strip()
    return (
        document(language, "folder_card_eight_bits")
        .strip()
        .format(largest=f"{loss.largest:.2g}", changed=loss.changed, positions=loss.positions)
    )
