"""`python -m deploy.builder FOLDER`: install what a Space's builder does, in a local environment.

The builder runs one `pip install` with requirements.txt and the packages it adds for the `gradio`
SDK (as seen in the log of a Space's build). Requirements that resolve alone may not resolve with
these: `gradio[mcp]` needs an older pydantic than gradio alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
import venv
from pathlib import Path

from deploy.files import ROOT
from model.command_line import Parser
from model.console import Console, check_folder

NEWEST_PIP = "pip>=26"
"""An older pip downloads every package (even torch's CUDA libraries) for `--dry-run`."""

_GRADIO = re.compile(r"^gradio==(\S+)$", re.M)


def install_line(root: Path = ROOT) -> list[str]:
    """The builder's arguments to `pip install`."""
    requirements = root / "requirements.txt"
    pinned = _GRADIO.search(requirements.read_text(encoding="utf-8"))
    if pinned is None:
        raise ValueError("requirements.txt pins no gradio")
    return [
        "-r",
        str(requirements),
        f"gradio[oauth,mcp]=={pinned[1]}",
        "uvicorn>=0.14.0",
        "websockets>=10.4",
        "spaces",
    ]


def build(folder: Path, packages: list[str]) -> Path:
    """Install `packages` into a new environment in `folder`; returns its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
    return python


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    console = Console.of(arguments)
    parser = Parser(
        console,
        prog="python -m deploy.builder",
        description=console.text("deploy.builder_describe"),
    )
    parser.add_argument(
        "folder",
        type=Path,
        help=console.text("deploy.builder_help_folder"),
    )
    options = parser.parse_args(arguments)
    try:
        check_folder(options.folder)
        console.write(str(build(options.folder, install_line())))
    except subprocess.CalledProcessError as error:  # pip has said why
        console.complain("deploy.not_built", error=error)
        return 1
    except (OSError, KeyboardInterrupt) as error:
        return console.refuse(error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
