"""The machine of a measurement: what is needed to interpret the numbers."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """CPU model, cores, memory, system; no host name and no paths."""
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "instructions": _instructions(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def load_average() -> float:
    """The 1-minute load average; well above 0 at the start means that results are disturbed."""
    return round(os.getloadavg()[0], 2)


def _cpu() -> str:
    for line in _cpu_lines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _instructions() -> list[str]:
    """The available ones of the instruction sets by which engines choose their kernels."""
    flags = next((line.split() for line in _cpu_lines() if line.startswith("flags")), [])
    return [name for name in ("avx2", "avx512f", "avx512_vnni", "amx_int8") if name in flags]


def _cpu_lines() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="ascii").splitlines() if path.exists() else []
