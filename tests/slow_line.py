"""Every page on a slow line: `python -m pytest -p tests.slow_line` (no part of a plain run).

A test that reads a state which was already there before its click passes on a quick machine and
fails on a busy one. With each answer `MINI_GPT_LATENCY` milliseconds late it fails every time.
(`set_offline` has no effect then: a page has one throttle.)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext


def slow(page: Any, milliseconds: int) -> None:
    """Have every answer to `page` come so much later."""
    page.context.new_cdp_session(page).send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": milliseconds,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        },
    )


def pytest_configure(config: pytest.Config) -> None:
    """Named as a plugin: every page that any test opens is a slow one."""
    latency = int(os.environ.get("MINI_GPT_LATENCY", "150"))
    for owner in (Browser, BrowserContext):
        owner.new_page = _slowed(owner.new_page, latency)  # type: ignore[method-assign]


def _slowed(make: Callable[..., Any], latency: int) -> Callable[..., Any]:
    def new_page(owner: Any, **how: Any) -> Any:
        page = make(owner, **how)
        slow(page, latency)
        return page

    return new_page
