"""The model card of the proof pack, in every language, one after the other."""

from __future__ import annotations

from collections.abc import Mapping

from export.compare import ABSOLUTE_BOUND, RELATIVE_FACTOR
from export.graph import IR_VERSION, OPSET
from languages import LANGUAGES, document
from model.config import MiniGPTConfig
from model.vocabulary import Vocabulary


def model_card(
    configs: Mapping[str, MiniGPTConfig],
    words: Mapping[str, Vocabulary],
    sizes: Mapping[str, int],
) -> str:
    """The card as Markdown. configs, words: by name of the weights; sizes: bytes by file name."""
    models = [
        f"| {name} | {c.vocab_size} | {c.context_length} | {c.model_dim} | {c.num_heads} | "
        f"{c.num_layers} |"
        for name, c in configs.items()
    ]
    listed: dict[str, list[str]] = {}
    for name, vocabulary in words.items():
        listed.setdefault(" ".join(vocabulary.shown), []).append(name)
    files = [f"| `{name}` | {size:,} |" for name, size in sizes.items()]
    cards = [
        document(language, "card").format(
            words="\n".join(f"- {', '.join(names)}: {row}" for row, names in listed.items()),
            models="\n".join(models),
            files="\n".join(files),
            opset=OPSET,
            ir_version=IR_VERSION,
            bound=ABSOLUTE_BOUND,
            factor=RELATIVE_FACTOR,
        )
        for language in LANGUAGES
    ]
    return "\n".join(["# MiniGPT\n", *cards])
