"""What a heading of the sampling table says is what stands under it, on every prompt."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from ui import torch_loading
from ui.panels.sampling import sampling_explained
from ui.texts import strings

PROMPTS = [[id_] for id_ in range(5)] + [list(pair) for pair in product(range(5), repeat=2)]
GREEDY = [{"mode": "argmax"}, {"mode": "sample", "temperature": 0, "top_k": 2, "top_p": 0.5}]


@pytest.fixture(scope="module", autouse=True)
def _torch() -> None:
    torch_loading.wait()


def explained(tokens: list[int], engine: str, sampling: dict[str, Any]) -> dict[str, Any]:
    return sampling_explained({"tokens": tokens, "engine": engine, "sampling": sampling})


@pytest.mark.parametrize("engine", ["onnxruntime", "torch"])
@pytest.mark.parametrize("sampling", GREEDY)
def test_greedy_has_logits_and_argmax_and_nothing_else(
    engine: str, sampling: dict[str, Any]
) -> None:
    assert len(PROMPTS) == 30
    for tokens in PROMPTS:
        steps = explained(tokens, engine, sampling)["steps"]
        assert list(steps) == ["logits", "argmax"]
        assert steps["argmax"] == np.eye(5)[int(np.argmax(steps["logits"]))].tolist()


@pytest.mark.parametrize("engine", ["onnxruntime", "torch"])
@pytest.mark.parametrize(("temperature", "top_k", "top_p"), [(1, 0, 1), (0.5, 3, 1), (2, 0, 0.8)])
def test_a_draw_has_what_its_headings_say(
    engine: str, temperature: float, top_k: int, top_p: float
) -> None:
    sampling = {"mode": "sample", "temperature": temperature, "top_k": top_k, "top_p": top_p}
    for tokens in PROMPTS:
        rows = explained(tokens, engine, sampling)["steps"]
        steps = {name: np.array(row) for name, row in rows.items()}
        logits, scaled = steps["logits"], steps["scaled_logits"]
        np.testing.assert_allclose(scaled, (logits - logits.max()) / temperature, atol=1e-12)
        spread = np.exp(scaled) / np.exp(scaled).sum()
        np.testing.assert_allclose(steps["after_temperature"], spread, atol=1e-12)
        for name in ("after_temperature", "after_top_k", "after_top_p", "probabilities"):
            assert steps[name].sum() == pytest.approx(1, abs=1e-12), name
        assert np.count_nonzero(steps["after_top_k"]) == (top_k or 5)


def test_every_step_has_a_heading() -> None:
    texts = strings()
    for sampling in ({"mode": "argmax"}, {"mode": "sample"}):
        for name in explained([0, 1], "onnxruntime", sampling)["steps"]:
            assert name == "probabilities" or set(texts[f"sampling.step_{name}"]) == {"zh", "en"}
