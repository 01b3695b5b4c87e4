"""A user who trains: starts a training, polls it every second, and starts another at its end."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from bench.load.person import Person
from bench.load.tally import Tally

LOOK_SECONDS = 1.0
ENDED = ("finished", "stopped", "failed", "lost")
TASK = {
    "corpus": "我 喜欢 AI\n我 喜欢 猫\n我 学习 AI\n猫 喜欢 我",
    "steps": 2000,
    "learning_rate": 0.01,
    "seed": 0,
    "model": {
        "num_layers": 4,
        "num_heads": 4,
        "model_dim": 32,
        "context_length": 16,
        "dropout": 0.1,
    },
}
"""The largest training that the page allows."""


class Trainee(Person):
    """A user who trains instead of clicking."""

    def __init__(self, port: int, tally: Tally, component: int, prefix: str = "") -> None:
        super().__init__(port, tally, component, prefix)
        self._tally = tally

    async def train_on(self, until: float) -> None:
        """Train repeatedly until `time.monotonic()` reaches `until`."""
        while time.monotonic() < until:
            started = await self.call("training_start", {"task": TASK})
            if started is not None:
                await self._watch(started, until)
        await self.leave()

    async def _watch(self, progress: dict[str, Any], until: float) -> None:
        seen, key = None, progress["key"]
        began: float | None = time.perf_counter()
        while time.monotonic() < until and progress["status"] not in ENDED:
            if progress["status"] != seen:
                seen = progress["status"]
                self._tally.count(f"training {seen}")
            if began is not None and seen == "running":
                self._tally.took("own training", time.perf_counter() - began)
                began = None
            await asyncio.sleep(LOOK_SECONDS)
            asked = {"id": progress["id"], "since": progress["step"]}
            answer = await self.call("training_progress", asked)
            if answer is None:
                return
            progress = answer
        if progress["status"] in ("failed", "lost"):
            self._tally.error(f"training {progress['status']}")
        self._tally.count(f"training {progress['status']}")
        await self.call("training_stop", {"id": progress["id"], "key": key})
