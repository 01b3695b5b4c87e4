"""The lesson's weights, set by hand, as decimals.

Week 8 of the course: W_Q, W_K, W_V and W_O are identities; W1 copies the four channels into
the first four of sixteen hidden units; W2 gives back a quarter of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.config import MiniGPTConfig

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
FFN_GAIN = 0.25  # W2 gives back a quarter of what W1 copied


def teaching_model(dtype: torch.dtype | None = None) -> MiniGPT:
    """A MiniGPT with the lesson's weights, in evaluation mode.

    dtype: torch.float32 (default) or torch.float64, in which the decimals are exact to 1e-17.
    """
    import torch

    from model.network import MiniGPT

    model = MiniGPT(**TEACHING_CONFIG.as_dict()).to(dtype or torch.float32)
    channels, hidden = TEACHING_CONFIG.model_dim, TEACHING_CONFIG.ffn_dim
    identity = torch.eye(channels)
    lesson = {
        "token_embedding.weight": TOKEN_TABLE,
        "position_embedding.weight": POSITION_TABLE,
        "blocks.0.attention.qkv.weight": identity.repeat(3, 1),
        "blocks.0.attention.output.weight": identity,
        "blocks.0.ffn.expand.weight": torch.eye(hidden, channels),
        "blocks.0.ffn.expand.bias": torch.zeros(hidden),
        "blocks.0.ffn.contract.weight": FFN_GAIN * torch.eye(channels, hidden),
        "blocks.0.ffn.contract.bias": torch.zeros(channels),
        "lm_head.weight": OUTPUT_WEIGHT,
        "lm_head.bias": OUTPUT_BIAS,
    }
    # LayerNorm starts with gain 1 and shift 0, which are the lesson's.
    state = model.state_dict()
    state |= {
        name: torch.as_tensor(value, dtype=state[name].dtype) for name, value in lesson.items()
    }
    model.load_state_dict(state, strict=True)
    return model.eval()
