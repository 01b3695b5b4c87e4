"""The JavaScript in `web/`: which files the page loads, and a hash of their content.

Served is the bundle that `npm run bundle` makes of the modules, so that a first visit takes one
request instead of 150; with MINI_GPT_SOURCES=1 the modules themselves.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

WEB = Path(__file__).parent.parent / "web"

SOURCES = "MINI_GPT_SOURCES"
ENTRY = "start.js"
_BUNDLE = "bundle"
_DATA_FILES = ("formulas.json",)

# Static imports only, in the form the modules use: one `from "./x.js"` per statement.
_IMPORT = re.compile(r"""^\s*(?:import|export)\b[^;]*?\bfrom\s*["'](\.[^"']+)["']""", re.M)
_OWN_NAME = re.compile(r"[a-z][a-z0-9_-]*(\.[a-z]+)?", re.ASCII)  # excludes editors' backups
_STAMP_LENGTH = 12


def entry() -> str:
    """The module that the page begins with, as a path in `web/`."""
    return ENTRY if _from_sources() else f"{_BUNDLE}/{ENTRY}"


def first_modules() -> list[str]:
    """The files to preload, the entry first, so that no import has to be discovered."""
    return needed_modules([ENTRY]) if _from_sources() else [entry()]


def _from_sources() -> bool:
    return os.environ.get(SOURCES) == "1"


def own_files(pattern: str) -> list[Path]:
    """The files in `web/` that match `pattern`, sorted; no hidden file, backup or symlink."""
    return [path for path in sorted(WEB.glob(pattern)) if _is_own(path)]


def _is_own(path: Path) -> bool:
    parts = path.relative_to(WEB).parts
    through = [WEB.joinpath(*parts[:end]) for end in range(1, len(parts) + 1)]
    linked = any(step.is_symlink() for step in through)
    return all(map(_OWN_NAME.fullmatch, parts)) and not linked and path.is_file()


def needed_modules(entries: Sequence[str]) -> list[str]:
    """Every module that `entries` import statically, as paths in `web/`: `page.js`, `dom.js`, …."""
    found: dict[str, None] = {}
    waiting = list(entries)
    while waiting:
        module = waiting.pop(0)
        if module in found:
            continue
        found[module] = None
        waiting += _imported(module)
    return list(found)


@functools.cache
def contents() -> dict[str, bytes]:
    """All files the page loads, by path in `web/`: modules and data, and no other file there.

    Read at the first call.
    """
    if _from_sources():
        panels = [path.relative_to(WEB).as_posix() for path in own_files("panels/*.js")]
        modules = needed_modules([ENTRY, *panels])
    else:
        made = [*own_files(f"{_BUNDLE}/*.js"), *own_files(f"{_BUNDLE}/panels/*.js")]
        modules = [path.relative_to(WEB).as_posix() for path in made]
    paths = {name: WEB / name for name in sorted({*modules, *_DATA_FILES})}
    return {name: path.read_bytes() for name, path in paths.items() if _is_own(path)}


@functools.cache
def stamp() -> str:
    """A hash of the content of `web/`: a part of each address, so browsers can cache for good."""
    digest = hashlib.sha256()
    for path, content in contents().items():
        digest.update(path.encode() + b"\0" + content)
    return digest.hexdigest()[:_STAMP_LENGTH]


def is_stamp(text: str) -> bool:
    """Whether `text` has the form of a stamp, of this or another version."""
    return re.fullmatch(rf"[0-9a-f]{{{_STAMP_LENGTH}}}", text) is not None


def _imported(module: str) -> list[str]:
    """The modules that `module` imports statically, as paths in `web/`."""
    source = (WEB / module).read_text(encoding="utf-8")
    folder = PurePosixPath(module).parent
    return [_normal(folder / target) for target in _IMPORT.findall(source)]


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
