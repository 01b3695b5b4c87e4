"""Which files of a folder belong to the assembled page: those that its `files.json` lists.

The service worker caches what `files.json` lists: every file except itself and the list.
"""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

LIST = "files.json"
WORKER = "service_worker.js"
_HERE = "./"


def list_of(names: list[str]) -> dict[str, list[str]]:
    """The content of `files.json` for a page of these files."""
    # The service worker must not be cached: the browser checks for a newer version of it.
    return {"files": [_HERE, *(_HERE + name for name in sorted(names) if name != WORKER)]}


def is_own(folder: Path, name: str) -> bool:
    """Whether `name` is a file of the page in `folder`, with no symlink in its path."""
    if name not in (LIST, WORKER) and _HERE + name not in _listed(folder):
        return False
    parts = PurePosixPath(name).parts
    through = [folder.joinpath(*parts[:end]) for end in range(1, len(parts) + 1)]
    return not any(step.is_symlink() for step in through)


def _listed(folder: Path) -> list[str]:
    try:
        found = json.loads((folder / LIST).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return found if isinstance(found, list) else []
