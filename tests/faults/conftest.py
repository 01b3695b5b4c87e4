"""Copies of the project in which something is broken."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.files import ROOT
from tests.ui.started import StartedServer, free_port

Start = Callable[..., StartedServer]
_PARTS = ("app.py", "languages", "export", "model", "ui", "web")


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[Start]:
    """`broken(break_it, **environment)` starts a copy of the page that `break_it` was let on."""
    servers: list[StartedServer] = []

    def start(break_it: Callable[[Path], Any], **environment: str) -> StartedServer:
        folder = tmp_path / "copy"
        folder.mkdir()
        for part in _PARTS:
            if (ROOT / part).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / part, folder / part, ignore=ignored)
            else:
                shutil.copy(ROOT / part, folder / part)
        break_it(folder)
        server = StartedServer(free_port(), tmp_path / "log.txt", environment, folder)
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.stop()
