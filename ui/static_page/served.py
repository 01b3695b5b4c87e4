"""The assembled static page, if this server has it: served as a page, and as a third engine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from ui.static_page.descriptions import descriptions
from ui.static_page.listed import is_own

ADDRESS = "in-browser"  # below the app's root
ENGINE = "browser"

_VARIABLE = "MINI_GPT_PAGE"
_DEFAULT = Path(__file__).parents[2] / "dist" / "site"


def folder() -> Path | None:
    """Where `python -m ui.static_page --out` wrote it: $MINI_GPT_PAGE, or dist/site; or None."""
    path = Path(os.environ.get(_VARIABLE) or _DEFAULT)
    return path if (path / "page.json").is_file() else None


def routes() -> list[BaseRoute]:
    """The folder's route, if the folder exists."""
    path = folder()
    if path is None:
        return []
    return [Mount(f"/{ADDRESS}", _Listed(directory=path, html=True))]


class _Listed(StaticFiles):
    """The files of the page, and no other file in their folder."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Like StaticFiles, but finds no other file and nothing through a symlink."""
        assert self.directory is not None
        folder, name = Path(self.directory), os.path.normpath(path)
        if name != os.curdir and not is_own(folder, Path(name).as_posix()):
            return "", None
        return super().lookup_path(path)


def engine() -> dict[str, Any] | None:
    """What the browser needs to run the shipped files itself; None if they are not served."""
    if folder() is None:
        return None
    return {"name": ENGINE, "address": ADDRESS, "descriptions": descriptions()}
