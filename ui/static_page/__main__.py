"""`python -m ui.static_page --out FOLDER`: write the static page."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from model.command_line import Parser
from model.console import Console, check_folder, packages_needed

with packages_needed(__name__):
    from ui.static_page.assemble import assemble


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    console = Console.of(arguments)
    options = _parser(console).parse_args(arguments)
    try:
        return _write(options.out, console)
    except (OSError, KeyboardInterrupt) as error:
        return console.refuse(error)


def _parser(console: Console) -> argparse.ArgumentParser:
    described = console.text("app.site_describe")
    parser = Parser(console, prog="python -m ui.static_page", description=described)
    out = console.text("app.site_help_out")
    parser.add_argument("--out", type=Path, required=True, help=out)
    return parser


def _write(folder: Path, console: Console) -> int:
    """Check the folder first, since building the files can take minutes."""
    check_folder(folder)
    try:
        names = assemble(folder)
    except subprocess.CalledProcessError as error:
        told = (error.output or str(error)).strip()
        console.complain("app.site_npm_failed", told=told)
        return 1
    serve = f"python -m http.server -d {folder}"
    console.say("app.site_written", count=len(names), folder=folder, serve=serve)
    return 0


if __name__ == "__main__":
    with packages_needed():
        sys.exit(main())
