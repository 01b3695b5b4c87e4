"""Which files of a folder are the assembled page: those its own list names.

The service worker keeps what `files.json` lists; only itself and the list are not in it.
"""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

LIST = "files.json"
WORKER = "service_worker.js"
_HERE = "./"


def list_of(names: list[str]) -> dict[str, list[str]]:
    """What stands in the list of a page of these files."""
    # The worker keeps itself out of its own cache: the browser looks for a newer one.
    return {"files": [_HERE, *(_HERE + name for name in sorted(names) if name != WORKER)]}


def is_own(folder: Path, name: str) -> bool:
    """Whether `name` is a file of the page in `folder`, and neither it nor a folder on the way
    to it is a link."""
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
