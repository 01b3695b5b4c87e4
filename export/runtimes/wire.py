"""Messages between this process and a worker: a JSON head, then raw arrays.

A message is the head's length (4 bytes, little-endian), the head in UTF-8, and the bytes of
each array that the head's "arrays" lists as [name, dtype, shape]. Simple enough to be read by
any language; nothing in it is executed.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO, Protocol

import numpy as np

from export.runtimes.declaration import Arrays

_LENGTH = struct.Struct("<I")


def write_message(stream: BinaryIO, head: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Send one message."""
    solid = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    listed = [
        [name, str(array.dtype), list(np.shape(arrays[name]))] for name, array in solid.items()
    ]
    text = json.dumps({**head, "arrays": listed}).encode()
    stream.write(_LENGTH.pack(len(text)) + text)
    for array in solid.values():
        stream.write(array.tobytes())
    stream.flush()


class Readable(Protocol):
    """Anything bytes come out of."""

    def read(self, size: int, /) -> bytes | None: ...


def read_message(stream: Readable) -> tuple[dict[str, Any], Arrays]:
    """Receive one message.

    Raises:
        EOFError: the other side has gone.
    """
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    head: dict[str, Any] = json.loads(_exactly(stream, length))
    arrays: Arrays = {}
    for name, dtype, shape in head.pop("arrays"):
        size = np.dtype(dtype).itemsize * int(np.prod(shape))
        content = np.frombuffer(_exactly(stream, size), dtype=dtype)
        arrays[name] = content.reshape(shape).copy()  # some engines insist on writable input
    return head, arrays


def _exactly(stream: Readable, size: int) -> bytes:
    content = b""
    while len(content) < size:
        piece = stream.read(size - len(content))
        if not piece:
            raise EOFError("the worker has ended")
        content += piece
    return content
