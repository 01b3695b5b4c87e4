"""Messages between the page and a process."""

from __future__ import annotations

import io

import pytest

from ui.training.wire import receive, send


def test_messages_one_after_another() -> None:
    stream = io.BytesIO()
    send(stream, {"kind": "one", "words": "猫\n"}, b"\x00\n\xff")
    send(stream, {"kind": "two"})
    stream.seek(0)
    assert receive(stream) == ({"kind": "one", "words": "猫\n"}, b"\x00\n\xff")
    assert receive(stream) == ({"kind": "two"}, b"")
    assert receive(stream) is None


@pytest.mark.parametrize("kept", [1, 10, 25])
def test_the_end_in_the_middle_of_a_message(kept: int) -> None:
    stream = io.BytesIO()
    send(stream, {"kind": "one"}, b"x" * 10)
    whole = stream.getvalue()
    assert receive(io.BytesIO(whole[:kept])) is None
    assert receive(io.BytesIO(whole[:-1])) is None
