"""`python -m ui.static_page --out FOLDER`: write the page that needs no server."""

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
    text = console.text
    parser = Parser(
        console,
        prog="python -m ui.static_page",
        description=text("Write the page that needs no server.", "写出不需要服务器的页面。"),
    )
    parser.add_argument(
        "--out", type=Path, required=True, help=text("the folder to serve", "写到哪个文件夹")
    )
    return parser


def _write(folder: Path, console: Console) -> int:
    """Tries the folder first: what it writes may take minutes to make."""
    check_folder(folder)
    try:
        names = assemble(folder)
    except subprocess.CalledProcessError as error:
        told = (error.output or str(error)).strip()
        console.complain(
            f"not written: npm could not fetch onnxruntime-web:\n{told}",
            f"没有写入：npm 没能下载 onnxruntime-web：\n{told}",
        )
        return 1
    serve = f"python -m http.server -d {folder}"
    console.say(
        f"{len(names)} files written to {folder}: {serve}",
        f"已把 {len(names)} 个文件写入 {folder}：{serve}",
    )
    return 0


if __name__ == "__main__":
    with packages_needed():
        sys.exit(main())
