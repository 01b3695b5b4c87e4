"""Bodies on their way: bounded one by one and together, the slowest given up first."""

from __future__ import annotations

import asyncio
import threading

import pytest
from starlette.types import Message, Scope

from model.errors import InputError
from tests import own_loop
from ui import bodies
from ui.bodies import INLINE_BYTES, Bodies

SCOPE: Scope = {"type": "http", "headers": [(b"content-type", b"application/json")]}


class _Sender:
    """Sends `pieces`, then nothing until `go_on` is set."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(pieces)
        self.go_on = asyncio.Event()

    async def __call__(self) -> Message:
        if self._pieces:
            return {"type": "http.request", "body": self._pieces.pop(0), "more_body": True}
        await self.go_on.wait()
        return {"type": "http.request", "body": b"", "more_body": False}


async def _code(task: asyncio.Task[bytes]) -> str:
    with pytest.raises(InputError) as caught:
        await task
    return caught.value.code


def test_where_all_hold_too_much_the_one_longest_on_its_way_is_given_up() -> None:
    async def scenario() -> tuple[str, list[bytes]]:
        arriving = Bodies(together=300)
        senders = [_Sender(b"x" * 100) for _ in range(3)]
        slow, *others = [
            asyncio.create_task(arriving.receive(SCOPE, sender, 1000)) for sender in senders
        ]
        await asyncio.sleep(0.01)
        late = _Sender(b"y" * 100)
        others.append(asyncio.create_task(arriving.receive(SCOPE, late, 1000)))
        code = await _code(slow)
        for sender in (*senders, late):
            sender.go_on.set()
        return code, [await other for other in others]

    code, received = own_loop.run(scenario())
    assert code == "busy"  # the page asks again by itself
    assert received == [b"x" * 100, b"x" * 100, b"y" * 100]


def test_what_has_arrived_or_was_given_up_holds_no_more_room() -> None:
    async def scenario() -> int:
        arriving = Bodies(together=300)
        for _ in range(20):
            sender = _Sender(b"x" * 200)
            sender.go_on.set()
            await arriving.receive(SCOPE, sender, 1000)
        for _ in range(20):
            with pytest.raises(InputError):
                await arriving.receive(SCOPE, _Sender(b"x" * 200, b"x" * 200), 300)
        return arriving._held

    assert own_loop.run(scenario()) == 0


def test_a_body_that_does_not_come_in_time_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.02)

    async def scenario() -> str:
        return await _code(asyncio.create_task(Bodies().receive(SCOPE, _Sender(b"x"), 1000)))

    assert own_loop.run(scenario()) == "body_late"


def test_a_large_body_is_read_away_from_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    where: list[int] = []
    monkeypatch.setattr(bodies, "read_json", lambda body: where.append(threading.get_ident()))

    async def scenario() -> int:
        arriving = Bodies()
        await arriving.read(b"1" * (INLINE_BYTES + 1))
        await arriving.read(b"1")
        return threading.get_ident()

    loop = own_loop.run(scenario())
    assert where[0] != loop
    assert where[1] == loop
