"""The command line of the ONNX files.

python -m export                      write the shipped files and prove them
python -m export --form static        write another form of them
python -m export --form decode-ort --model FOLDER
                                      write a model of one's own, of any size, for speed
python -m export parity [NAMES...]    run them in every engine that is installed
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from pathlib import Path

from export.compare import largest
from export.decode_ort_file import EIGHT_BIT_FORM as DECODE_ORT_INT8
from export.decode_ort_file import FORM as DECODE_ORT
from export.form_command import write_form
from export.forms import FORMS
from export.own_model import write_own
from export.pack.archive import PACK, proof_pack
from export.parity import command as parity
from export.shipped import FILES, write_all
from model.console import Console, Parser, check_folder
from model.errors import InputError
from model.whole_file import write_whole


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    console = Console.of(arguments)
    parser = _parser(console)
    options = parser.parse_args(arguments)
    if options.model is not None and options.form not in (DECODE_ORT, DECODE_ORT_INT8):
        parser.error(f"--model goes with --form {DECODE_ORT} or {DECODE_ORT_INT8}")
    try:
        return _run(options, console)
    except (InputError, OSError, KeyboardInterrupt) as error:
        return console.refuse(error)
    except AssertionError as error:  # a proof that failed: which value, and by how much
        console.complain(f"not written: {error}", f"没有写入：{error}")
        return 1


def _parser(console: Console) -> Parser:
    parser = Parser(
        console,
        prog="python -m export",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, help=f"folder to write (default {FILES.name}/)")
    parser.add_argument("--form", choices=list(FORMS), help="write this form instead")
    parser.add_argument(
        "--model", type=Path, help="folder with config.json and model.safetensors (decode-ort)"
    )
    commands = parser.add_commands(dest="command", metavar="")
    parity.add_arguments(commands.add_parser("parity", help="run the files in every engine"))
    pack = commands.add_parser("pack", help="write the proof pack, one zip")
    pack.add_argument("--out", type=Path, default=Path(PACK), help="the zip to write")
    site = commands.add_parser("site", help="now `python -m ui.static_page`")
    site.add_argument("--out", type=Path)
    return parser


def _run(options: argparse.Namespace, console: Console) -> int:
    """Each command tries the folder first: what it writes may take minutes to make."""
    if options.command == "parity":
        return parity.run(options, console)
    if options.command == "pack":
        return _write_pack(options.out, console)
    if options.command == "site":
        return _say_moved(console)
    if options.model is not None:
        _write_own(options.model, options.form, options.out or Path(), console)
    elif options.form is not None:
        _write_form(options.form, options.out or Path(), console)
    else:
        _write_shipped(options.out or FILES, console)
    return 0


def _write_pack(path: Path, console: Console) -> int:
    check_folder(path.parent)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    write_whole(path, proof_pack())
    _say_written(path, console)
    return 0


def _say_moved(console: Console) -> int:
    command = "python -m ui.static_page --out FOLDER"
    console.complain(f"error: this is now `{command}`", f"错误：这个命令现在是 `{command}`")
    return 2


def _write_own(model: Path, form: str, folder: Path, console: Console) -> None:
    for file in write_own(model, form, folder):
        size = f"{file.stat().st_size:,}"
        console.say(f"{file}: {size} bytes", f"{file}：{size} 字节")


def _write_shipped(folder: Path, console: Console) -> None:
    check_folder(folder)
    for proof in write_all(folder):
        worst = largest(proof.differences)
        compared, difference = len(proof.differences), f"{worst.max_abs:.2e} ({worst.name})"
        console.say(
            f"{proof.file}: {proof.prompts} prompts, {compared} comparisons, "
            f"largest |Δ| {difference}",
            f"{proof.file}：{proof.prompts} 个句子，{compared} 次比较，最大 |Δ| {difference}",
        )
    _say_written(folder, console)


def _write_form(form: str, folder: Path, console: Console) -> None:
    check_folder(folder)
    for record in write_form(form, folder):
        console.say(parity.one_line(record))
    _say_written(folder, console)


def _say_written(path: Path, console: Console) -> None:
    console.say(f"written to {path}", f"已写入 {path}")


if __name__ == "__main__":
    sys.exit(main())
