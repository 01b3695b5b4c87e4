"""Messages between the page and a training process: a line of JSON, then bytes.

Nothing is ever pickled, so a process that went wrong can send nothing that runs code here.
"""

from __future__ import annotations

import json
from typing import IO, Any

Header = dict[str, Any]


def send(stream: IO[bytes], header: Header, content: bytes = b"") -> None:
    """Write one message.

    Raises:
        OSError: the other side is gone.
    """
    line = json.dumps({**header, "bytes": len(content)}, ensure_ascii=True) + "\n"
    stream.write(line.encode() + content)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[Header, bytes] | None:
    """The next message; None at the end, also one in the middle of a message."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    header: Header = json.loads(line)
    size = header.pop("bytes")
    content = stream.read(size)
    return (header, content) if len(content) == size else None
