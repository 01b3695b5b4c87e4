"""Large weights in large pages: a step reads all of them, and looks up each page it reads.

Linux keeps memory in pages of 4 KB unless asked. In pages of 2 MB a step of a network of 650 MB
took 0.93 of its time on two cores. Asking is allowed to every process, changes no value and takes
no memory; where the system does not know the request, or forbids it, everything stays as it is.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HUGE = 2 * 1024 * 1024  # bytes of a large page

Region = tuple[int, int]  # addresses [start, end)

_COLLAPSE = 25  # MADV_COLLAPSE of <linux/mman.h>, since Linux 6.1: now, and not when it suits
_MAPS = Path("/proc/self/maps")
_POLICY = Path("/sys/kernel/mm/transparent_hugepage/enabled")


@contextmanager
def in_huge_pages() -> Iterator[None]:
    """Memory that is taken inside, and still held at the end, is moved to pages of 2 MB."""
    if not allowed():
        yield
        return
    before = anonymous_regions()
    yield
    advise = ctypes.CDLL(None).madvise
    for start, end in whole_pages(without(anonymous_regions(), before)):
        # A refusal (no free page of that size, an older Linux) leaves the small pages there.
        advise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _COLLAPSE)


def allowed() -> bool:
    """Whether this is a Linux that has large pages and lets a process ask for them."""
    return sys.platform == "linux" and _POLICY.exists() and "[never]" not in _POLICY.read_text()


def anonymous_regions() -> list[Region]:
    """What this process holds in memory that is its own and belongs to no file."""
    regions: list[Region] = []
    for line in _MAPS.read_text().splitlines():
        addresses, rights, _, _, inode, *name = line.split(maxsplit=5)
        if rights == "rw-p" and inode == "0" and name in ([], ["[heap]"]):
            start, end = (int(address, 16) for address in addresses.split("-"))
            regions.append((start, end))
    return regions


def without(regions: list[Region], others: list[Region]) -> list[Region]:
    """The parts of `regions` that lie in none of `others`."""
    for low, high in others:
        parts = [
            part
            for start, end in regions
            for part in ((start, min(end, low)), (max(start, high), end))
        ]
        regions = [(start, end) for start, end in parts if start < end]
    return regions


def whole_pages(regions: list[Region]) -> list[Region]:
    """Each region from its first to its last whole large page, if it has one."""
    rounded = [(-(-start // HUGE) * HUGE, end // HUGE * HUGE) for start, end in regions]
    return [(start, end) for start, end in rounded if start < end]
