"""Messages between a process and its worker: a JSON head, then raw arrays.

A message is the head's length (4 bytes, little-endian), the head in UTF-8, and the bytes of
each array that the head's "arrays" lists as [name, dtype, shape]. Easy to read in any language;
nothing in it is executed.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

Head = dict[str, Any]
Arrays = dict[str, NDArray[Any]]
Message = tuple[Head, Arrays]

_LENGTH = struct.Struct("<I")
_LONGEST_HEAD = 1 << 26  # bytes; four letters of text read as a length give more


class MessageError(ValueError):
    """The data received is not a message."""


def write_message(stream: IO[bytes], head: Head, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Send one message.

    Raises:
        OSError: the other side has closed.
    """
    solid = {name: np.asarray(array) for name, array in arrays.items()}
    listed = [[name, str(array.dtype), list(array.shape)] for name, array in solid.items()]
    text = json.dumps({**head, "arrays": listed}).encode()
    stream.write(_LENGTH.pack(len(text)) + text)
    for array in solid.values():
        stream.write(array.tobytes())
    stream.flush()


def read_message(stream: IO[bytes]) -> Message:
    """Receive one message.

    Raises:
        EOFError: the other side has closed; the text says if it was in the middle of a message.
        MessageError: the data received is not a message.
    """
    start = stream.read(_LENGTH.size)
    if not start:
        raise EOFError("the other side has ended")
    (length,) = _LENGTH.unpack(start + _exactly(stream, _LENGTH.size - len(start)))
    if length > _LONGEST_HEAD:
        raise MessageError(f"a head of {length} bytes")
    text = _exactly(stream, length)
    try:
        head: Head = json.loads(text)
        return head, {name: _array(stream, *kind) for name, *kind in head.pop("arrays")}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise MessageError(f"not a message: {text[:80]!r}") from error


def messages(stream: IO[bytes]) -> Iterator[Message]:
    """Every message until the other side closes, even in the middle of one.

    Raises:
        MessageError: the data received is not a message.
    """
    while True:
        try:
            message = read_message(stream)
        except EOFError:
            return
        yield message


def packed(content: bytes) -> Arrays:
    """Bytes as the arrays of a message."""
    return {"content": np.frombuffer(content, np.uint8)}


def unpacked(arrays: Arrays) -> bytes:
    """The bytes that were `packed`, or none."""
    return arrays["content"].tobytes() if "content" in arrays else b""


def _array(stream: IO[bytes], dtype: str, shape: list[int]) -> NDArray[Any]:
    content = _exactly(stream, np.dtype(dtype).itemsize * math.prod(shape))
    array: NDArray[Any] = np.frombuffer(content, dtype).reshape(shape)
    return array.copy()  # some engines require writable input


def _exactly(stream: IO[bytes], size: int) -> bytes:
    content = stream.read(size)
    if len(content) < size:
        raise EOFError("the other side has ended in the middle of a message")
    return content
