"""Every kind of file somebody might bring as weights: explained, or a model that works."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from languages import texts
from tests.fuzz.calls import check_call
from tests.fuzz.files import CONFIG, GOOD, configs, weights
from ui.panels.training import own_load
from ui.views import view

CASES = [100, pytest.param(600, marks=pytest.mark.long("600 files"))]


def _load(content: bytes, config: Any) -> dict[str, Any]:
    request = {"content": base64.b64encode(content).decode(), "config": config, "lang": "en"}
    check_call(own_load, request)
    return own_load(request)


@pytest.mark.parametrize("count", CASES)
def test_a_file_is_explained_or_becomes_a_model_that_answers(count: int) -> None:
    @settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    @given(weights, configs)
    def cases(content: bytes, config: Any) -> None:
        _check(content, config)

    cases()


def _check(content: bytes, config: Any) -> None:
    loaded = _load(content, config)
    if "error" in loaded:
        assert loaded["error"]["code"] in texts("en", "errors")
        return
    request = {"tokens": [0, 1], "model": loaded["model"]["id"], "engine": "torch", "lang": "en"}
    check_call(view, request)


def test_the_good_file_is_taken_alone_and_with_its_config() -> None:
    assert "model" in _load(GOOD, None)
    assert "model" in _load(GOOD, CONFIG)


def test_a_pickle_is_named_and_not_opened() -> None:
    answer = _load(b"\x80\x04cos\nsystem\n(S'true'\ntR.", None)
    assert answer["error"]["code"] == "checkpoint_pickle"
    assert "never read" in json.dumps(answer)
