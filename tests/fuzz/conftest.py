"""Fuzzing starts no process: what a training would do is another test's matter."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ui.training.process import Spare


class NoProcess:
    """In place of a training process: it ends as soon as it is given an order."""

    def run(self, head: Any, content: bytes, listener: Any) -> None:
        threading.Thread(target=listener, args=(None, b""), daemon=True).start()

    def stop(self) -> None:
        """Nothing runs."""

    kill = discard = stop

    def alive(self) -> bool:
        return True


@pytest.fixture(scope="package", autouse=True)
def _no_processes() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        without_processes(patch)
        yield


def without_processes(patch: pytest.MonkeyPatch) -> None:
    """Let no training process start."""
    patch.setattr(Spare, "warm_up", lambda self: None)
    patch.setattr(Spare, "take", lambda self: NoProcess())
