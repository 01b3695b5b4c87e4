"""`python -m tools.reload [OPTIONS OF app.py]`: the page, restarted when a file changes.

The page is served from the modules in `web/`, not from their bundle. Own models and trainings are
in the server's memory and are lost at a restart; the browser keeps its sentence and uploads its
stored models again. Reload the page to get changed modules.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from model.console import packages_needed

with packages_needed(__name__):
    import watchfiles

    from ui.modules import SOURCES

ROOT = Path(__file__).parents[1]
WATCHED = ("app.py", "languages", "model", "export", "ui", "web")


class Sources(watchfiles.DefaultFilter):
    """Changes to source files of the page."""

    def __call__(self, change: watchfiles.Change, path: str) -> bool:
        """Whether a change to this file restarts the page."""
        source = path.endswith((".py", ".js", ".css", ".json", ".html"))
        return source and super().__call__(change, path)


def main(arguments: list[str]) -> int:
    """Run until interrupted; returns how often the page was restarted."""
    os.environ[SOURCES] = "1"
    command = shlex.join([sys.executable, str(ROOT / "app.py"), *arguments])
    return watchfiles.run_process(
        *(ROOT / name for name in WATCHED),
        target=command,
        target_type="command",
        watch_filter=Sources(),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
