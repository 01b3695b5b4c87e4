"""Which ports a process listens on, from Linux's /proc."""

from __future__ import annotations

from pathlib import Path

_LISTENS = "0A"


def listening_ports(pid: int) -> set[int]:
    """TCP ports on which the process `pid` waits for connections."""
    sockets = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(descriptor.readlink())
        except FileNotFoundError:  # closed meanwhile
            continue
        if target.startswith("socket:["):
            sockets.add(target[len("socket:[") : -1])
    ports = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            field = line.split()
            if field[3] == _LISTENS and field[9] in sockets:
                ports.add(int(field[1].rpartition(":")[2], 16))
    return ports
