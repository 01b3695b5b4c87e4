"""A table of exponentials is written in one way: all relative to their row's largest, or none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from model.answers import judge
from model.answers.reading import Answer
from model.config import MiniGPTConfig
from model.working import Source, card, equations_of
from tests.model.working.networks import every_source, random_source
from ui.requests import read_prompt
from ui.sources import source_of

TWO_BLOCKS = MiniGPTConfig(5, 8, 4, 2, 2)


def tables(source: Source) -> list[str]:
    return [key.removesuffix(".exponentials") for key in source.formula if "exponentials" in key]


def check_one_way(source: Source) -> set[bool]:
    """Numbers, formula and judging of every table agree; which ways there were."""
    ways = set()
    for owner in tables(source):
        key = f"{owner}.exponentials"
        scores = source.array(source.reads(key)[0])
        shifted = source.is_shifted(owner)
        ways.add(shifted)
        largest = scores.max(axis=-1, keepdims=True) if shifted else np.zeros_like(scores)
        np.testing.assert_allclose(source.array(key), np.exp(scores - largest), rtol=1e-12)
        for cell in np.ndindex(*scores.shape):
            (line,) = card(equations_of(source, key, cell)).lines
            assert (" − " in line.expression) == shifted, line.text
            assert ("shifted" in {note.key for note in line.notes}) == shifted
            number = math.exp(min(float(scores[cell]), 700.0))
            if not shifted:
                verdict = judge(source, key, cell, Answer(round(number, 4), 4))
                assert verdict.grade == "right"
            elif np.isfinite(scores[cell]) and abs(number - source.array(key)[cell]) > 1e-3:
                verdict = judge(source, key, cell, Answer(round(number, 4), 4))
                assert verdict.hint is not None
                assert verdict.hint.key in ("forgot_largest", "sign")
    return ways


def test_in_the_lesson_s_network_none_is_shifted() -> None:
    for source in every_source("onnxruntime"):
        assert check_one_way(source) == {False}


@pytest.mark.parametrize("token_ids", [(0,), (4, 1), (0, 1, 2), (3, 1, 4, 1, 0, 2, 2, 4)])
def test_with_the_learned_weights(token_ids: tuple[int, ...]) -> None:
    """Logits up to 8.3: exponentials of 1.0000 and 4079.4983 stood under one formula."""
    prompt = read_prompt({"tokens": list(token_ids), "model": "trained", "lang": "en"})
    assert check_one_way(source_of(prompt)) == {False}


def test_a_table_of_large_scores_is_shifted_in_every_row() -> None:
    assert True in check_one_way(random_source(TWO_BLOCKS, (0, 4, 3), scale=6.0))
