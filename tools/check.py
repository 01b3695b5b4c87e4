"""`python -m tools.check`: lint and types of Python and JavaScript; reports every failure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMANDS = (
    (sys.executable, "-m", "ruff", "format", "--check", "."),
    (sys.executable, "-m", "ruff", "check", "."),
    (sys.executable, "-m", "mypy"),
    ("npx", "--no-install", "eslint", "."),
)


def main() -> int:
    """Run all commands; returns the number that failed, as exit status."""
    failed = [command for command in COMMANDS if subprocess.run(command, cwd=ROOT).returncode]
    for command in failed:
        print("failed:", " ".join(command).replace(sys.executable, "python"), file=sys.stderr)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
