"""Every function that a browser can call, with requests a page never sends.

About 400 cases, 2,000 among the long tests; `python -m tests.fuzz` runs any number, and measures
the memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.calls import check_call
from tests.fuzz.requests import known_keys, requests
from ui import torch_loading
from ui.page import server_functions

CASES = [400, pytest.param(2_000, marks=pytest.mark.long("2,000 requests"))]
FUNCTIONS = server_functions()


@pytest.fixture(scope="module", autouse=True)
def _torch() -> None:
    """Both engines are there, so that both are called."""
    torch_loading.wait()


@pytest.mark.parametrize("count", CASES)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_function_answers_whatever_it_is_sent(function: Callable[..., Any], count: int) -> None:
    @settings(
        max_examples=count // len(FUNCTIONS) + 1,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,  # a failure in CI is the same failure here
        database=None,
    )
    @given(requests)
    def cases(request: Any) -> None:
        check_call(function, request)

    cases()


def test_the_keys_that_functions_read_are_among_those_that_are_fuzzed() -> None:
    assert {"tokens", "engine", "model", "edits", "switches", "sampling"} <= set(known_keys())
