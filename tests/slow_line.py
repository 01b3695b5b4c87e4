"""Every page on a slow line: `python -m pytest -p tests.slow_line tests/ui` (no part of a plain run).

A test that reads a state which was already there before its click passes on a quick machine and
fails on a busy one. With each answer `MINI_GPT_LATENCY` milliseconds late (400 by default) it
fails every time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext

LATENCY_MS = int(os.environ.get("MINI_GPT_LATENCY", "400"))


def _slowed(make: Callable[..., Any]) -> Callable[..., Any]:
    """`make`, a method that gives a new page, giving it a slow line."""

    def new_page(owner: Any, **how: Any) -> Any:
        page = make(owner, **how)
        page.context.new_cdp_session(page).send(
            "Network.emulateNetworkConditions",
            {
                "offline": False,
                "latency": LATENCY_MS,
                "downloadThroughput": -1,
                "uploadThroughput": -1,
            },
        )
        return page

    return new_page


for owner in (Browser, BrowserContext):
    owner.new_page = _slowed(owner.new_page)  # type: ignore[method-assign]
