"""Each sampling step by hand, the order of the steps, and the draw."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import InputError
from model.sampling import (
    DRAW_DECIMALS,
    SamplingSettings,
    choose,
    draw_numbers,
    sample_next_token,
    sampling_steps,
)

# Probabilities of a half, a quarter, an eighth and twice a sixteenth.
LOGITS = np.log(np.array([[0.25, 0.5, 0.0625, 0.125, 0.0625]]))


def probabilities(**settings: Any) -> list[float]:
    steps = sampling_steps(LOGITS, SamplingSettings(**{"temperature": 1.0, **settings}))
    return [float(value) for value in steps.probabilities[0]]


def test_temperature_one_is_the_softmax() -> None:
    assert probabilities() == pytest.approx([0.25, 0.5, 0.0625, 0.125, 0.0625], abs=1e-6)


def test_temperature_divides_logits() -> None:
    squared = np.array([0.25, 0.5, 0.0625, 0.125, 0.0625]) ** 2
    assert probabilities(temperature=0.5) == pytest.approx(squared / squared.sum(), abs=1e-6)


def test_top_k_renormalises() -> None:
    assert probabilities(top_k=2) == pytest.approx([1 / 3, 2 / 3, 0, 0, 0], abs=1e-6)


@pytest.mark.parametrize("off", [0, None, 5, 50])
def test_top_k_off(off: int | None) -> None:
    assert probabilities(top_k=off) == probabilities()


def test_top_k_among_equals_takes_the_lower_id() -> None:
    assert probabilities(top_k=4)[2] > 0
    assert probabilities(top_k=4)[4] == 0


def test_top_p_keeps_the_word_that_crosses() -> None:
    assert probabilities(top_p=0.6) == pytest.approx([1 / 3, 2 / 3, 0, 0, 0], abs=1e-6)
    assert probabilities(top_p=0.5) == pytest.approx([0, 1, 0, 0, 0])
    assert probabilities(top_p=1e-9) == pytest.approx([0, 1, 0, 0, 0])
    assert probabilities(top_p=1) == probabilities()


def test_top_p_comes_after_top_k_and_its_renormalisation() -> None:
    # After top_k = 2 the best word has 2/3: alone enough for 0.6. Before, it had a half.
    assert probabilities(top_k=2, top_p=0.6) == pytest.approx([0, 1, 0, 0, 0])


def test_tiny_temperature_is_nearly_argmax() -> None:
    for temperature in (1e-6, 1e-300, 5e-324):
        assert probabilities(temperature=temperature) == pytest.approx([0, 1, 0, 0, 0])


def test_huge_temperature_is_nearly_uniform() -> None:
    assert probabilities(temperature=1e300) == pytest.approx([0.2] * 5, abs=1e-6)


def test_zero_temperature_is_argmax_and_ties_go_to_the_lowest_id() -> None:
    tied = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    assert sample_next_token(tied, SamplingSettings()).tolist() == [[1], [0]]


def test_rounding_makes_two_engines_draw_alike() -> None:
    nudged = LOGITS + 3e-7
    nudged[0, 0] -= 6e-7
    settings = SamplingSettings(temperature=1.0)
    np.testing.assert_array_equal(
        sampling_steps(LOGITS, settings).probabilities,
        sampling_steps(nudged, settings).probabilities,
    )
    assert DRAW_DECIMALS == 6


def test_draws_follow_the_probabilities() -> None:
    count = 20_000
    uniforms = draw_numbers(7, count, 1)[0]
    rows = np.repeat(LOGITS, count, axis=0)
    next_id = sample_next_token(rows, SamplingSettings(temperature=1.0), uniforms)
    assert next_id.shape == (count, 1)
    shares = np.bincount(next_id[:, 0], minlength=5) / count
    expected = np.exp(LOGITS[0])
    five_sigma = 5 * np.sqrt(expected * (1 - expected) / count)
    assert (np.abs(shares - expected) < five_sigma).all()


def test_choose_at_the_edges() -> None:
    row = np.array([[0.0, 0.5, 0.5, 0.0]])
    for uniform, expected in ((0.0, 1), (0.4999, 1), (0.5, 2), (1 - 1e-16, 2)):
        assert choose(row, np.array([uniform])).tolist() == [[expected]]
    short = np.array([[0.5, 0.4999999, 0.0]])  # a float's sum may miss 1
    assert choose(short, np.array([0.99999999])).tolist() == [[1]]


def test_numbers_asked_for_one_by_one_are_those_of_one_long_call() -> None:
    together = draw_numbers(11, 3, 6)
    one_by_one = np.concatenate([draw_numbers(11, 3, 1, start=step) for step in range(6)])
    np.testing.assert_array_equal(together, one_by_one)
    np.testing.assert_array_equal(together[:, 0], np.random.default_rng(11).random((6, 3))[:, 0])


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("temperature", -0.1),
        ("temperature", math.nan),
        ("temperature", math.inf),
        ("temperature", "1"),
        ("temperature", True),
        ("temperature", 10**400),
        ("top_k", -1),
        ("top_k", 1.5),
        ("top_k", True),
        ("top_p", 0.0),
        ("top_p", 1.1),
        ("top_p", -math.inf),
        ("top_p", math.nan),
    ],
)
def test_wrong_settings(setting: str, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        SamplingSettings(**{setting: value})
    assert caught.value.code == setting
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, None, True])
def test_wrong_seed(seed: Any) -> None:
    with pytest.raises(InputError) as caught:
        draw_numbers(seed, 1, 1)
    assert caught.value.code == "seed"


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_logits_that_are_not_finite_are_refused(bad: float) -> None:
    with pytest.raises(InputError) as caught:
        sampling_steps(np.array([[0.0, bad]]), SamplingSettings(temperature=1.0))
    assert caught.value.code == "logits_not_finite"


@given(
    st.lists(st.floats(-50, 50), min_size=5, max_size=5),
    st.floats(1e-9, 1e9),
    st.integers(0, 7),
    st.floats(1e-6, 1.0),
)
def test_every_step_is_a_distribution(
    logits: list[float], temperature: float, top_k: int, top_p: float
) -> None:
    steps = sampling_steps(np.array([logits]), SamplingSettings(temperature, top_k, top_p))
    for values in (steps.after_temperature, steps.after_top_k, steps.after_top_p):
        assert values.sum() == pytest.approx(1.0, abs=1e-9)
        assert (values >= 0).all()
    assert steps.probabilities.sum() == pytest.approx(1.0, abs=1e-9)
    assert (steps.probabilities > 0).sum() <= (steps.after_top_k > 0).sum()
