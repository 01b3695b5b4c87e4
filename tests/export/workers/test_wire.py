"""Messages between a process and its worker."""

from __future__ import annotations

import io

import numpy as np
import pytest

from export.workers.wire import (
    MessageError,
    messages,
    packed,
    read_message,
    unpacked,
    write_message,
)


def test_a_message_comes_out_as_it_went_in() -> None:
    stream = io.BytesIO()
    arrays: dict[str, np.ndarray] = {
        "token_ids": np.arange(6, dtype=np.int64).reshape(2, 3),
        "a scalar": np.array(4, dtype=np.int64),
        "empty": np.zeros((2, 0, 3), dtype=np.float32),
        "transposed": np.arange(6, dtype=np.float32).reshape(2, 3).T,
    }
    write_message(stream, {"do": "run", "字": "猫"}, arrays)
    write_message(stream, {"do": "next"}, {})
    stream.seek(0)
    head, found = read_message(stream)
    assert head == {"do": "run", "字": "猫"}
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        np.testing.assert_array_equal(found[name], array)
        assert found[name].flags.writeable
    assert read_message(stream) == ({"do": "next"}, {})


def test_an_ended_worker_is_told_from_a_slow_one() -> None:
    stream = io.BytesIO()
    write_message(stream, {"do": "run"}, {"a": np.zeros(4)})
    cut = io.BytesIO(stream.getvalue()[:-1])
    with pytest.raises(EOFError, match="in the middle of a message"):
        read_message(cut)
    with pytest.raises(EOFError, match=r"has ended$"):
        read_message(io.BytesIO())


@pytest.mark.parametrize("content", [b"\x00\n\xff", b""])
def test_bytes_are_carried_as_they_are(content: bytes) -> None:
    stream = io.BytesIO()
    write_message(stream, {"kind": "one"}, packed(content))
    stream.seek(0)
    assert unpacked(read_message(stream)[1]) == content
    assert unpacked({}) == b""


def test_messages_one_after_another() -> None:
    stream = io.BytesIO()
    write_message(stream, {"kind": "one", "words": "猫\n"}, packed(b"\x00\n\xff"))
    write_message(stream, {"kind": "two"}, {})
    stream.seek(0)
    (one, content), two = messages(stream)
    assert one == {"kind": "one", "words": "猫\n"}
    assert unpacked(content) == b"\x00\n\xff"
    assert two == ({"kind": "two"}, {})


@pytest.mark.parametrize("kept", [0, 1, 4, 10, 25, -1])
def test_the_end_in_the_middle_of_a_message_is_the_last_of_them(kept: int) -> None:
    stream = io.BytesIO()
    write_message(stream, {"kind": "one"}, packed(b"x" * 10))
    whole = stream.getvalue()
    assert len(list(messages(io.BytesIO(whole + whole[:kept])))) == 1


@pytest.mark.parametrize(
    "text",
    [
        b"not JSON",
        b"\xff\xfe",
        b"[]",
        b"1",
        b'{"kind": 1}',
        b'{"arrays": 1}',
        b'{"arrays": [["a"]]}',
        b'{"arrays": [["a", "no type", [1]]]}',
        b'{"arrays": [["a", "object", [0]]]}',
    ],
)
def test_what_is_no_message_is_refused(text: bytes) -> None:
    with pytest.raises(MessageError, match="not a message"):
        read_message(io.BytesIO(len(text).to_bytes(4, "little") + text))


def test_text_is_not_waited_for_as_if_it_were_a_message() -> None:
    """Its first letters say a length that never comes."""
    with pytest.raises(MessageError, match=r"a head of \d+ bytes"):
        read_message(io.BytesIO(b"[I] starting"))
