"""The plain-Python draw against the NumPy one: the same word for the same number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import InputError, small_sampling
from model.sampling import (
    DRAW_DECIMALS,
    SamplingSettings,
    choose,
    draw_numbers,
    sample_next_token,
    sampling_steps,
)

logits = st.lists(st.floats(-40, 40, width=32), min_size=1, max_size=small_sampling.MOST_WORDS)


@given(
    logits=logits,
    temperature=st.floats(0.05, 20),
    top_k=st.one_of(st.none(), st.integers(0, 70)),
    uniform=st.floats(0, 1, exclude_max=True),
)
def test_the_same_word_as_numpy(
    logits: list[float], temperature: float, top_k: int | None, uniform: float
) -> None:
    steps = sampling_steps(np.array([logits]), SamplingSettings(temperature, top_k))
    edges = np.cumsum(steps.probabilities[0])
    if np.abs(edges - uniform).min() < 1e-12:  # exp differs in the last bit between the two
        return
    expected = int(choose(steps.probabilities, np.array([uniform]))[0, 0])
    assert small_sampling.draw(logits, temperature, top_k, uniform, DRAW_DECIMALS) == expected


def test_a_number_above_the_last_edge_takes_the_last_possible_word() -> None:
    almost_one = math.nextafter(1.0, 0.0)
    thirds = [0.0, 0.0, 0.0, -1000.0]
    assert small_sampling.draw(thirds, 1.0, None, almost_one, DRAW_DECIMALS) == 2


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_left_to_numpy(wrong: float) -> None:
    assert small_sampling.draw([0.0, wrong], 1.0, None, 0.5, DRAW_DECIMALS) is None
    with pytest.raises(InputError):
        sample_next_token(np.array([[0.0, wrong]]), SamplingSettings(1.0), np.array([0.5]))


def test_ten_thousand_draws_are_the_same_through_the_front_door() -> None:
    row = np.array([[1.1128, -2.739, -1.5262, 2.1336, 1.7397]], dtype=np.float32)
    settings = SamplingSettings(1.0)
    probabilities = sampling_steps(row, settings).probabilities
    uniforms = draw_numbers(3, 1, 10_000)
    drawn = [int(sample_next_token(row, settings, uniform)[0, 0]) for uniform in uniforms]
    expected = [int(choose(probabilities, uniform)[0, 0]) for uniform in uniforms]
    assert drawn == expected
    assert set(drawn) == {0, 1, 2, 3, 4}
