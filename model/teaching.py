"""The lesson's weights, set by hand, as decimals.

Week 8 of the course: W_Q, W_K, W_V and W_O are identities; W1 copies the four channels into
the first four of sixteen hidden units; W2 returns a quarter of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.vocabulary import LESSON_WORDS

if TYPE_CHECKING:
    import torch

    from model.network import MiniGPT

TEACHING_CONFIG = MiniGPTConfig(
    vocab_size=5, context_length=2, model_dim=4, num_heads=2, num_layers=1, dropout=0.0
)

TOKEN_TABLE = (
    (0.2, -0.1, 0.7, 0.3),  # 我
    (0.6, 0.3, -0.2, 0.1),  # 喜欢
    (-0.4, 0.8, 0.5, -0.3),  # AI
    (0.1, 0.2, 0.9, 0.4),  # 学习
    (-0.7, 0.4, 0.3, 0.6),  # 猫
)
POSITION_TABLE = (
    (0.05, 0.1, -0.05, 0.0),
    (-0.1, 0.0, 0.05, 0.1),
)
OUTPUT_WEIGHT = (  # W_out, a row for each word
    (1.0, 0.0, 0.0, 0.0),
    (0.0, 1.0, 2.0, 2.0),
    (0.0, 0.0, 1.0, 1.0),
    (0.0, 3.0, -1.0, 0.0),
    (1.0, 2.0, 0.0, 0.0),
)
OUTPUT_BIAS = (-0.2, 0.1, 0.0, 0.0, 0.0)
FFN_GAIN = 0.25  # W2 returns a quarter of what W1 copied


def teaching_state(dtype: type[np.floating[Any]] = np.float32) -> dict[str, NDArray[Any]]:
    """The lesson's weights under their state_dict names, in its order, without torch.

    dtype: np.float32, or np.float64, in which the decimals are exact to 1e-17.
    """
    channels, hidden = TEACHING_CONFIG.model_dim, TEACHING_CONFIG.ffn_dim
    gain, shift = np.ones(channels), np.zeros(channels)  # of each LayerNorm
    state = {
        "token_embedding.weight": TOKEN_TABLE,
        "position_embedding.weight": POSITION_TABLE,
        "blocks.0.ln1.weight": gain,
        "blocks.0.ln1.bias": shift,
        "blocks.0.attention.qkv.weight": np.tile(np.eye(channels), (3, 1)),
        "blocks.0.attention.output.weight": np.eye(channels),
        "blocks.0.ln2.weight": gain,
        "blocks.0.ln2.bias": shift,
        "blocks.0.ffn.0.weight": np.eye(hidden, channels),
        "blocks.0.ffn.0.bias": np.zeros(hidden),
        "blocks.0.ffn.2.weight": FFN_GAIN * np.eye(channels, hidden),
        "blocks.0.ffn.2.bias": np.zeros(channels),
        "final_norm.weight": gain,
        "final_norm.bias": shift,
        "lm_head.weight": OUTPUT_WEIGHT,
        "lm_head.bias": OUTPUT_BIAS,
    }
    return {name: np.array(values, dtype=dtype) for name, values in state.items()}


def teaching_model(dtype: torch.dtype | None = None) -> MiniGPT:
    """A MiniGPT with the lesson's weights, in evaluation mode.

    dtype: torch.float32 (default) or torch.float64, in which the decimals are exact to 1e-17.
    """
    import torch

    from model.network import MiniGPT

    model = MiniGPT(**TEACHING_CONFIG.as_dict()).to(dtype or torch.float32)
    # From float64, so that a float64 model gets the decimals and not their float32 roundings.
    state = {name: torch.from_numpy(values) for name, values in teaching_state(np.float64).items()}
    model.load_state_dict(state, strict=True)
    model.vocabulary = LESSON_WORDS
    return model.eval()
