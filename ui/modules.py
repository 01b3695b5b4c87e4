"""The browser side in `web/`: which modules the page needs, and a stamp of their content."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

WEB = Path(__file__).parent.parent / "web"

ENTRY = "page.js"

# Static imports only, as the modules write them: one `from "./x.js"` a statement.
_IMPORT = re.compile(r"""^\s*(?:import|export)\b[^;]*?\bfrom\s*["'](\.[^"']+)["']""", re.M)
_STAMP_LENGTH = 12


def panel_modules() -> list[str]:
    """Names of the panels, a module each: `web/panels/<name>.js`."""
    return [path.stem for path in sorted((WEB / "panels").glob("*.js"))]


def needed_modules(entries: Sequence[str] | None = None) -> list[str]:
    """Every module that `entries` load, as paths in `web/`: `page.js`, `dom.js`, ….

    entries: by default those of the page and its panels. A browser that is told all modules at
    once need not find them one import after another.
    """
    found: dict[str, None] = {}
    waiting = list(entries or (ENTRY, *(f"panels/{name}.js" for name in panel_modules())))
    while waiting:
        module = waiting.pop(0)
        if module in found:
            continue
        found[module] = None
        waiting += _imports(module)
    return list(found)


@functools.cache
def contents() -> dict[str, bytes]:
    """Every file of `web/` by its path in it, as it was at the first call: 1 MB in all."""
    paths = (path for path in sorted(WEB.rglob("*")) if path.is_file())
    return {path.relative_to(WEB).as_posix(): path.read_bytes() for path in paths}


@functools.cache
def stamp() -> str:
    """A name for the present content of `web/`, so that browsers may keep files for good."""
    digest = hashlib.sha256()
    for path, content in contents().items():
        digest.update(path.encode() + b"\0" + content)
    return digest.hexdigest()[:_STAMP_LENGTH]


def is_stamp(text: str) -> bool:
    """Whether `text` could be the stamp of this or another version."""
    return re.fullmatch(rf"[0-9a-f]{{{_STAMP_LENGTH}}}", text) is not None


def _imports(module: str) -> list[str]:
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
