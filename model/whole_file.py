"""Files that are there whole or not at all: a full disk or an interrupt leaves no half of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A stream for the content of `path`, which appears when the block ends well.

    Until then it is `<path>.part`; on an exception that is removed, and what `path` held before
    stays.
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
    """Write `content` as `path`, whole or not at all."""
    with whole_file(path) as stream:
        stream.write(content)
