"""Atomic file writes: a full disk or an interrupt leaves no partial file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A stream for the content of `path`, which is replaced when the block ends without an error.

    Until then the content goes to `<path>.part`; on an exception that is removed, and `path` is
    unchanged.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as stream:
            yield stream
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` to `path` atomically."""
    with whole_file(path) as stream:
        stream.write(content)
