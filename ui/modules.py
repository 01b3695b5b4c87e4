"""The JavaScript in `web/`: which modules the page needs, and a hash of their content."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

WEB = Path(__file__).parent.parent / "web"

ENTRY = "page.js"

# Static imports only, in the form the modules use: one `from "./x.js"` per statement.
_IMPORT = re.compile(r"""^\s*(?:import|export)\b[^;]*?\bfrom\s*["'](\.[^"']+)["']""", re.M)
_DATA = re.compile(r"""\bnew URL\(\s*["'](\.[^"']+)["'],\s*import\.meta\.url\s*\)""")
_OWN_NAME = re.compile(r"[a-z][a-z0-9_-]*(\.[a-z]+)?", re.ASCII)  # excludes editors' backups
_STAMP_LENGTH = 12


def panel_modules() -> list[str]:
    """Names of the panels; each is a module `web/panels/<name>.js`."""
    return [path.stem for path in own_files("panels/*.js")]


def own_files(pattern: str) -> list[Path]:
    """The files in `web/` that match `pattern`, sorted; no hidden file, backup or symlink."""
    return [path for path in sorted(WEB.glob(pattern)) if _is_own(path)]


def _is_own(path: Path) -> bool:
    parts = path.relative_to(WEB).parts
    through = [WEB.joinpath(*parts[:end]) for end in range(1, len(parts) + 1)]
    linked = any(step.is_symlink() for step in through)
    return all(map(_OWN_NAME.fullmatch, parts)) and not linked and path.is_file()


def needed_modules(entries: Sequence[str] | None = None) -> list[str]:
    """Every module that `entries` import, as paths in `web/`: `page.js`, `dom.js`, ….

    With the whole list the browser can preload all modules instead of discovering them import by
    import.

    entries: by default those of the page and its panels.
    """
    found: dict[str, None] = {}
    waiting = list(entries or (ENTRY, *(f"panels/{name}.js" for name in panel_modules())))
    while waiting:
        module = waiting.pop(0)
        if module in found:
            continue
        found[module] = None
        waiting += _named(_IMPORT, module)
    return list(found)


@functools.cache
def contents() -> dict[str, bytes]:
    """The page's modules and the data files they name, by path in `web/`; 1 MB in all.

    Read at the first call. No other file in the folder is included.
    """
    modules = needed_modules()
    data = {found for module in modules for found in _named(_DATA, module)}
    paths = {name: WEB / name for name in sorted({*modules, *data})}
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


def _named(pattern: re.Pattern[str], module: str) -> list[str]:
    """The files in `module` that match `pattern`, as paths in `web/`."""
    source = (WEB / module).read_text(encoding="utf-8")
    folder = PurePosixPath(module).parent
    return [_normal(folder / target) for target in pattern.findall(source)]


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
