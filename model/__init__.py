"""MiniGPT: the network, its vocabulary, generation and the trace.

Importing `model` imports neither torch nor NumPy; a name is loaded when it is first used, so
the page can show its first numbers while torch is still loading.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.config import MiniGPTConfig
    from model.errors import InputError
    from model.generation import generate
    from model.network import CausalSelfAttention, MiniGPT, TransformerBlock
    from model.teaching import teaching_model
    from model.vocabulary import Vocabulary

__all__ = [
    "CausalSelfAttention",
    "InputError",
    "MiniGPT",
    "MiniGPTConfig",
    "TransformerBlock",
    "Vocabulary",
    "generate",
    "teaching_model",
]

_HOME = {
    "CausalSelfAttention": "model.network",
    "InputError": "model.errors",
    "MiniGPT": "model.network",
    "MiniGPTConfig": "model.config",
    "TransformerBlock": "model.network",
    "Vocabulary": "model.vocabulary",
    "generate": "model.generation",
    "teaching_model": "model.teaching",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'model' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
