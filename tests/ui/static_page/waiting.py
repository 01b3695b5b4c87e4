"""Waiting for a page whose content policy forbids `eval`, which Playwright's own waiting needs."""

from __future__ import annotations

import time
from typing import Any

SECONDS = 60.0
_PAUSE_MS = 50


def until(page: Any, expression: str, arg: object = None) -> None:
    """Return when the JavaScript `expression`, or function of `arg`, is true."""
    end = time.monotonic() + SECONDS
    while not page.evaluate(expression, arg):
        assert time.monotonic() < end, f"not so within {SECONDS:.0f} s: {expression}"
        page.wait_for_timeout(_PAUSE_MS)
