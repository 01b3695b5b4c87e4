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

from model.command_line import Parser
from model.console import Console, check_folder, packages_needed
from model.errors import InputError

with packages_needed(__name__):
    from export.compare import largest
    from export.decode_ort.file import EIGHT_BIT_FORM as DECODE_ORT_INT8
    from export.decode_ort.file import FORM as DECODE_ORT
    from export.decode_ort.own_model import write_own
    from export.forms.catalogue import FORMS
    from export.forms.command import write_form
    from export.pack.archive import PACK, proof_pack
    from export.parity import command as parity
    from export.shipped import FILES, write_all
    from model.whole_file import write_whole

_CHINESE_DESCRIPTION = """ONNX 文件的命令行。

python -m export                      重新写出项目自带的文件，并逐一证明
python -m export --form static        写出它们的另一种形式
python -m export --form decode-ort --model FOLDER
                                      写出自己的模型，大小不限，为速度而写
python -m export parity [NAMES...]    在装好的每个引擎里运行它们
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    console = Console.of(arguments)
    parser = _parser(console)
    options = parser.parse_args(arguments)
    if options.model is not None and options.form not in (DECODE_ORT, DECODE_ORT_INT8):
        parser.error(
            console.text(
                f"--model goes with --form {DECODE_ORT} or {DECODE_ORT_INT8}",
                f"--model 要和 --form {DECODE_ORT} 或 {DECODE_ORT_INT8} 一起用",
            )
        )
    try:
        return _run(options, console)
    except (InputError, OSError, KeyboardInterrupt) as error:
        return console.refuse(error)
    except AssertionError as error:  # a proof that failed: which value, and by how much
        console.complain(f"not written: {error}", f"没有写入：{error}")
        return 1


def _parser(console: Console) -> Parser:
    text = console.text
    parser = Parser(
        console, prog="python -m export", description=text(__doc__ or "", _CHINESE_DESCRIPTION)
    )
    parser.add_argument(
        "--out",
        type=Path,
        help=text(
            f"folder to write (default {FILES.name}/)", f"写到哪个文件夹（默认 {FILES.name}/）"
        ),
    )
    parser.add_argument(
        "--form",
        choices=list(FORMS),
        help=text("write this form instead", "改写成这种形式"),
    )
    parser.add_argument(
        "--model",
        type=Path,
        help=text(
            "folder with config.json and model.safetensors (decode-ort)",
            "有 config.json 和 model.safetensors 的文件夹（decode-ort）",
        ),
    )
    commands = parser.add_commands(dest="command", metavar="")

    def command(name: str, en: str, zh: str) -> Parser:
        said = text(en, zh)
        return commands.add_parser(name, help=said, description=said)

    runs = command("parity", "run the files in every engine", "在每个引擎里运行这些文件")
    parity.add_arguments(runs, console)
    pack = command("pack", "write the proof pack, one zip", "写出证明包，一个 zip")
    pack.add_argument(
        "--out", type=Path, default=Path(PACK), help=text("the zip to write", "写到哪个 zip")
    )
    moved = "`python -m ui.static_page`"
    site = command("site", f"now {moved}", f"现在是 {moved}")
    site.add_argument("--out", type=Path, help=text("the folder to serve", "写到哪个文件夹"))
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
        console.say(*parity.one_line(record))
    _say_written(folder, console)


def _say_written(path: Path, console: Console) -> None:
    console.say(f"written to {path}", f"已写入 {path}")


if __name__ == "__main__":
    with packages_needed():
        sys.exit(main())
