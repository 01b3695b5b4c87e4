"""The changed network in the page: both engines follow, and nonsense is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from export.compare import ABSOLUTE_BOUND
from tests.lesson import LESSON
from ui import torch_loading
from ui.views import differences, view

PROMPT: dict[str, Any] = {"tokens": [0, 1], "lang": "en"}
CHANGE: dict[str, Any] = {
    "edits": {"lm_head.bias": {"0": 1.5}, "blocks.0.attention.qkv.weight": {"11,3": -2}},
    "switches": {"blocks.0.head.1": False, "dropout": 0.25, "dropout_seed": 4},
}


def test_the_view_is_changed_and_keeps_the_baseline() -> None:
    plain, changed = view(PROMPT), view({**PROMPT, **CHANGE})
    assert plain["baseline"] is None
    assert changed["baseline"] == plain["trace"]
    assert changed["probabilities"] != plain["probabilities"]
    np.testing.assert_allclose(
        changed["baseline"]["logits"][-1], LESSON["prompts"]["A"]["logits"], rtol=0, atol=6e-5
    )


def test_both_engines_run_the_same_changed_network() -> None:
    torch_loading.wait()
    by_engine = [view({**PROMPT, **CHANGE, "engine": name}) for name in ("onnxruntime", "torch")]
    for name, values in by_engine[0]["trace"].items():
        expected = np.array(by_engine[1]["trace"][name], dtype=np.float64)
        np.testing.assert_allclose(
            np.array(values, dtype=np.float64), expected, rtol=0, atol=ABSOLUTE_BOUND, err_msg=name
        )
    found = differences({**PROMPT, **CHANGE})
    assert found["state"] == "ready"
    assert all(value["ok"] for value in found["values"])


@pytest.mark.parametrize("model", ["teaching", "trained"])
def test_every_model_can_be_changed(model: str) -> None:
    request = {**PROMPT, "model": model, "switches": {"blocks.0.ffn": False}}
    assert view(request)["probabilities"] != view({**PROMPT, "model": model})["probabilities"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"edits": {"lm_head.bias": {"0": 1e9}}}, "edit_value"),
        ({"edits": {"lm_head.bias": {"9": 1}}}, "edit_index"),
        ({"edits": {"nothing": {"0": 1}}}, "edit_parameter"),
        ({"switches": {"blocks.9.ffn": False}}, "switch_name"),
        ({"switches": {"dropout": 1}}, "dropout"),
    ],
)
def test_a_wrong_change_is_refused_with_its_reason(change: dict[str, Any], code: str) -> None:
    for engine in ("onnxruntime", "torch"):
        answer = view({**PROMPT, **change, "engine": engine})
        assert answer["error"]["code"] == code
