"""The error of 8-bit weights against float32, on a fixed set of prompts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from export.decode_ort.decoder import OrtDecoder

PROMPTS, LENGTH = 64, 16


def eight_bit_error(exact: Path, rounded: Path) -> dict[str, Any]:
    """Largest |Δ logit|, how often argmax changes, and the logits' standard deviation.

    For the next word after each of 64 random prompts of up to 16 tokens.
    """
    draw = np.random.default_rng(0)
    decoders = OrtDecoder(exact), OrtDecoder(rounded)
    config = decoders[0].config
    longest = min(LENGTH, config.context_length)
    worst, changed, spread = 0.0, 0, 0.0
    for _ in range(PROMPTS):
        window = draw.integers(0, config.vocab_size, (1, int(draw.integers(1, longest + 1))))
        ours, theirs = (decoder(window) for decoder in decoders)
        worst = max(worst, float(np.abs(ours - theirs).max()))
        changed += int(ours.argmax() != theirs.argmax())
        spread = max(spread, float(ours.std()))
    return {
        "prompts": PROMPTS,
        "max_abs": float(f"{worst:.3g}"),
        "argmax_changed": changed,
        "logits_std": float(f"{spread:.3g}"),
    }
