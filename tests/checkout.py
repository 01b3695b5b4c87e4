"""A copy of the project in another folder, for commands that write, as a newcomer has one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXPORT = "python -m export"
"""README's command that writes the shipped files. It takes a while: a run of tests does it once."""

_IDENTITY = ("-c", "user.name=test", "-c", "user.email=test@localhost")


@dataclass(frozen=True)
class Checkout:
    """The project's files as they are now, committed, in `folder`."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> Checkout:
        """Make the copy."""
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
            subprocess.run(["git", *_IDENTITY, *command], cwd=folder, check=True)
        return cls(folder)

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a shell line there, with this Python first and nobody's account."""
        environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HF_HOME": str(self.folder.parent / "no-token"),
            "HF_TOKEN": "",
        }
        command = ["bash", "-euc", line]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True
        )

    def changes(self, path: str) -> str:
        """What git finds changed below `path` since the copy was made."""
        status = ["git", "status", "--porcelain", "--", path]
        return subprocess.run(
            status, cwd=self.folder, capture_output=True, text=True, check=True
        ).stdout
