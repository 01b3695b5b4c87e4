"""CPU seconds and memory of processes, from Linux's /proc."""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_UTIME, _CUTIME_END = 11, 15  # fields of /proc/<pid>/stat after the name, from 0


@dataclass(frozen=True)
class Cost:
    """cpu: seconds, user and system; memory: resident, in MB."""

    cpu: float
    memory: float


def cost_of(process: int) -> Cost:
    """The process without its children."""
    fields = _stat(process)
    user, system = (int(text) for text in fields[_UTIME : _UTIME + 2])
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return Cost((user + system) / _TICKS, pages * _PAGE / 1e6)


def cpu_of_children(process: int) -> float:
    """CPU seconds of its child processes, running and ended."""
    ended = sum(int(text) for text in _stat(process)[_UTIME + 2 : _CUTIME_END]) / _TICKS
    return ended + sum(cost_of(child).cpu for child in children(process))


def children(process: int) -> list[int]:
    """Its running child processes."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def own_cpu() -> float:
    """CPU seconds of this process, the load generator."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _stat(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
