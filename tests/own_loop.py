"""Running what needs a loop of its own beside Playwright, which keeps a loop in the main thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` in a thread of its own: there may be a running loop in this one."""
    return apart(lambda: asyncio.run(coroutine))


def apart(call: Callable[[], T]) -> T:
    """`call()` in a thread of its own, where it may run loops."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result()
