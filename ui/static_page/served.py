"""The assembled page without a server, where this server has it: linked, and a third engine."""

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
    """Where `python -m ui.static_page --out` wrote it: dist/site, or what MINI_GPT_PAGE says."""
    path = Path(os.environ.get(_VARIABLE) or _DEFAULT)
    return path if (path / "page.json").is_file() else None


def routes() -> list[BaseRoute]:
    """The folder's route, if it is there."""
    path = folder()
    if path is None:
        return []
    return [Mount(f"/{ADDRESS}", _Listed(directory=path, html=True))]


class _Listed(StaticFiles):
    """The files that were written as the page, and nothing else that lies in their folder."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where `path` is; nowhere if it is no file of the page, or reached through a link."""
        assert self.directory is not None
        folder, name = Path(self.directory), os.path.normpath(path)
        if name != os.curdir and not is_own(folder, Path(name).as_posix()):
            return "", None
        return super().lookup_path(path)


def engine() -> dict[str, Any] | None:
    """What the browser needs to run the shipped files itself; None where they are not served."""
    if folder() is None:
        return None
    return {"name": ENGINE, "address": ADDRESS, "descriptions": descriptions()}
