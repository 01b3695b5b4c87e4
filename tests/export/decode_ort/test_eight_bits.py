"""8-bit weights: the rounding itself, against its definition."""

from __future__ import annotations

import numpy as np
import pytest

from export.decode_ort.eight_bits import BLOCK, LARGEST, ZERO, quantize


@pytest.mark.parametrize(("inputs", "outputs"), [(32, 3), (70, 5), (4, 2), (64, 2050)])
def test_every_weight_is_within_half_a_step(inputs: int, outputs: int) -> None:
    weight = np.random.default_rng(0).standard_normal((inputs, outputs)).astype(np.float32)
    steps, scales = quantize(weight)
    assert steps.shape == (outputs, -(-inputs // BLOCK), BLOCK)
    assert scales.shape == steps.shape[:2]
    back = ((steps.astype(np.float64) - ZERO) * scales[..., None]).reshape(outputs, -1)
    assert (back[:, inputs:] == 0).all()
    step = np.repeat(scales, BLOCK, axis=1)[:, :inputs]
    assert (np.abs(back[:, :inputs] - weight.T) <= step / 2 * (1 + 1e-5)).all()


def test_the_largest_of_a_block_is_exact_and_zeros_stay_zero() -> None:
    weight = np.zeros((64, 1), dtype=np.float32)
    weight[3], weight[5] = -2.54, 1.27
    steps, scales = quantize(weight)
    assert (int(steps[0, 0, 3]), int(steps[0, 0, 5])) == (ZERO - LARGEST, ZERO + 64)
    assert scales[0, 0] == pytest.approx(2.54 / LARGEST)
    assert scales[0, 1] == 0
    assert (steps[0, 1] == ZERO).all()
