"""Large requests: one at a time, with rests in which everything else is served."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise

import pytest

from model.errors import InputError
from tests import own_loop
from ui import uploads
from ui.uploads import REST, Uploads

WORK_SECONDS = 0.02


async def _one(turns: Uploads, spans: list[tuple[float, float]]) -> None:
    async with turns.turn():
        began = time.monotonic()
        await asyncio.sleep(WORK_SECONDS)
        spans.append((began, time.monotonic()))


def test_they_take_turns_with_rests_between() -> None:
    async def scenario() -> list[tuple[float, float]]:
        turns = Uploads()
        spans: list[tuple[float, float]] = []
        await asyncio.gather(*(_one(turns, spans) for _ in range(4)))
        return spans

    spans = own_loop.run(scenario())
    for (began, ended), (next_began, _) in pairwise(spans):
        assert next_began - ended >= REST * (ended - began)


def test_the_first_after_a_rest_waits_for_nothing() -> None:
    async def scenario() -> float:
        turns = Uploads()
        await _one(turns, [])
        await asyncio.sleep(2 * REST * WORK_SECONDS)
        began = time.monotonic()
        async with turns.turn():
            return time.monotonic() - began

    assert own_loop.run(scenario()) < WORK_SECONDS


def test_a_rest_after_a_long_one_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LONGEST_REST_SECONDS", 0.01)

    async def scenario() -> float:
        turns = Uploads()
        spans: list[tuple[float, float]] = []
        await asyncio.gather(*(_one(turns, spans) for _ in range(2)))
        return spans[1][0] - spans[0][1]

    assert own_loop.run(scenario()) < REST * WORK_SECONDS


def test_few_may_wait_and_who_gives_up_or_fails_leaves_the_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(uploads, "WAITING", 1)
    monkeypatch.setattr(uploads, "REST", 0.0)

    async def scenario() -> None:
        turns, release = Uploads(), asyncio.Event()

        async def holds() -> None:
            async with turns.turn():
                await release.wait()
                raise OSError

        first = asyncio.create_task(holds())
        await asyncio.sleep(0)
        second = asyncio.create_task(_one(turns, []))
        await asyncio.sleep(0)
        with pytest.raises(InputError) as caught:
            await _one(turns, [])
        assert caught.value.code == "busy"
        second.cancel()
        release.set()
        await asyncio.gather(first, second, return_exceptions=True)
        await asyncio.wait_for(_one(turns, []), 5)

    own_loop.run(scenario())
