"""Large pages: which addresses are asked for, that they are given, and that no value changes."""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest

from export.decode_ort import decoder, huge_pages
from export.decode_ort.huge_pages import (
    HUGE,
    anonymous_regions,
    in_huge_pages,
    whole_pages,
    without,
)
from export.shipped import FILES

SIZE = 8 * HUGE
linux = pytest.mark.skipif(sys.platform != "linux", reason="large pages are asked of Linux")


@pytest.mark.parametrize(
    ("regions", "others", "left"),
    [
        ([(0, 10)], [], [(0, 10)]),
        ([(0, 10)], [(0, 10)], []),
        ([(0, 10)], [(2, 4), (6, 7)], [(0, 2), (4, 6), (7, 10)]),
        ([(0, 10), (20, 30)], [(5, 25)], [(0, 5), (25, 30)]),
        ([(5, 10)], [(0, 20)], []),
        ([(5, 10)], [(0, 5), (10, 12)], [(5, 10)]),
    ],
)
def test_only_what_is_new_is_left(
    regions: list[huge_pages.Region],
    others: list[huge_pages.Region],
    left: list[huge_pages.Region],
) -> None:
    assert without(regions, others) == left


def test_only_whole_pages_are_asked_for() -> None:
    regions = [(1, HUGE), (1, 3 * HUGE - 1), (HUGE, 2 * HUGE), (5, 5)]
    assert whole_pages(regions) == [(HUGE, 2 * HUGE), (HUGE, 2 * HUGE)]


@linux
def test_memory_taken_inside_moves_and_keeps_its_values() -> None:
    if not huge_pages.allowed():
        pytest.skip("this Linux has no large pages, or forbids them")
    if tuple(int(part) for part in platform.release().split(".")[:2]) < (6, 1):
        pytest.skip("Linux before 6.1 does not know the request")
    with in_huge_pages():
        memory = mmap.mmap(-1, SIZE, flags=mmap.MAP_PRIVATE)
        memory.write(bytes(range(256)) * (SIZE // 256))
    assert memory[:] == bytes(range(256)) * (SIZE // 256)
    assert in_large_pages(address_of(memory)) >= SIZE - 2 * HUGE


@linux
def test_a_system_that_forbids_it_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text, allowed in (("always [madvise] never", True), ("always madvise [never]", False)):
        policy = tmp_path / "enabled"
        policy.write_text(text)
        monkeypatch.setattr(huge_pages, "_POLICY", policy)
        assert huge_pages.allowed() is allowed
    monkeypatch.setattr(huge_pages, "_MAPS", tmp_path / "nothing")
    with in_huge_pages():
        assert np.zeros(3).sum() == 0
    monkeypatch.setattr(huge_pages, "_POLICY", tmp_path / "nothing")
    assert not huge_pages.allowed()


@linux
def test_a_new_array_lies_in_the_regions() -> None:
    memory = np.ones(4 * HUGE, dtype=np.uint8)
    start = memory.ctypes.data
    assert without([(start, start + memory.nbytes)], anonymous_regions()) == []


def test_an_error_inside_comes_out() -> None:
    with pytest.raises(ValueError, match="inside"), in_huge_pages():
        raise ValueError("inside")


def test_a_large_file_is_opened_so_and_a_small_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def noted() -> AbstractContextManager[None]:
        asked.append("large pages")
        return in_huge_pages()

    monkeypatch.setattr(decoder, "in_huge_pages", noted)
    content = (FILES / "mini_gpt_teaching.onnx").read_bytes()
    decoder.open_session(content)
    assert asked == []
    monkeypatch.setattr(decoder, "THREADED_FROM", len(content))
    decoder.open_session(content)
    assert asked == ["large pages"]


def address_of(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def in_large_pages(address: int) -> int:
    """Bytes of the region around `address` that lie in large pages."""
    inside = False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        first, *rest = line.split()
        if "-" in first and not first.endswith(":"):
            start, end = (int(value, 16) for value in first.split("-"))
            inside = start <= address < end
        elif inside and first == "AnonHugePages:":
            return int(rest[0]) * 1024
    return 0
