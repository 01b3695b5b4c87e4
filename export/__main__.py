"""The command line of the ONNX files.

python -m export                      write the shipped files and prove them
python -m export --form static        write another form of them
python -m export --form decode-ort --model FOLDER
                                      write your own model, of any size, for fast decoding
python -m export parity [NAMES...]    run them in every engine that is installed
python -m export pack                 write the proof pack, one zip with everything
python -m export hub --model NAME --out FOLDER
                                      write the folder that transformers and others load
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
    from export.hub import chosen_model, write_hub
    from export.pack.archive import PACK, proof_pack
    from export.parity import command as parity
    from export.shipped import FILES, Proof, write_all
    from model.shipped import SHIPPED
    from model.whole_file import write_whole


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    console = Console.of(arguments)
    parser = _parser(console)
    options = parser.parse_args(arguments)
    if options.model is not None and options.form not in (DECODE_ORT, DECODE_ORT_INT8):
        parser.error(
            console.text(
                "export.model_needs_form", decode_ort=DECODE_ORT, decode_ort_int8=DECODE_ORT_INT8
            )
        )
    try:
        return _run(options, console)
    except (InputError, OSError, KeyboardInterrupt) as error:
        return console.refuse(error)
    except AssertionError as error:  # a failed proof names the value and the difference
        console.complain("export.not_written", error=error)
        return 1


def _parser(console: Console) -> Parser:
    text = console.text
    parser = Parser(console, prog="python -m export", description=text("export.describe"))
    parser.add_argument(
        "--out",
        type=Path,
        help=text("export.help_out", name=FILES.name),
    )
    parser.add_argument(
        "--form",
        choices=list(FORMS),
        help=text("export.help_form"),
    )
    parser.add_argument(
        "--model",
        type=Path,
        help=text("export.help_model"),
    )
    commands = parser.add_commands(dest="command", metavar="")

    def command(name: str, **values: object) -> Parser:
        said = text(f"export.help_{name}", **values)
        return commands.add_parser(name, help=said, description=said)

    runs = command("parity")
    parity.add_arguments(runs, console)
    pack = command("pack")
    pack.add_argument("--out", type=Path, default=Path(PACK), help=text("export.help_zip"))
    hub = command("hub")
    hub.add_argument(
        "--model",
        dest="source",
        required=True,
        help=text("export.help_source", names=", ".join(SHIPPED)),
    )
    hub.add_argument(
        "--out", dest="target", type=Path, required=True, help=text("export.help_target")
    )
    hub.add_argument("--plain", action="store_true", help=text("export.help_plain"))
    moved = "`python -m ui.static_page`"
    site = command("site", moved=moved)
    site.add_argument("--out", type=Path, help=text("export.help_folder"))
    return parser


def _run(options: argparse.Namespace, console: Console) -> int:
    """Run the chosen command. Each checks its folder first, before work that may take minutes."""
    if options.command == "parity":
        return parity.run(options, console)
    if options.command == "pack":
        return _write_pack(options.out, console)
    if options.command == "hub":
        return _write_hub(options, console)
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


def _write_hub(options: argparse.Namespace, console: Console) -> int:
    model = chosen_model(options.source)
    worst = write_hub(model, options.target, plain=options.plain)
    if worst is not None:
        console.say("export.hub_proof", difference=f"{worst.max_abs:.2e}")
    _say_written(options.target, console)
    return 0


def _say_moved(console: Console) -> int:
    command = "python -m ui.static_page --out FOLDER"
    console.complain("export.moved", command=command)
    return 2


def _write_own(model: Path, form: str, folder: Path, console: Console) -> None:
    for file in write_own(model, form, folder):
        size = f"{file.stat().st_size:,}"
        console.say("export.file_size", file=file, size=size)


def _write_shipped(folder: Path, console: Console) -> None:
    check_folder(folder)
    for proof in write_all(folder):
        worst = largest(proof.differences)
        compared, difference = len(proof.differences), f"{worst.max_abs:.2e} ({worst.name})"
        console.say(
            "export.proof",
            file=proof.file,
            prompts=_prompts(proof, console),
            compared=compared,
            difference=difference,
        )
    _say_written(folder, console)


def _prompts(proof: Proof, console: Console) -> str:
    """How many prompts were compared, and how many of them were drawn."""
    if not proof.drawn:
        return console.text("export.proof_all", prompts=proof.prompts)
    values = {"prompts": proof.prompts, "drawn": proof.drawn, "seed": proof.seed}
    return console.text("export.proof_drawn", **values)


def _write_form(form: str, folder: Path, console: Console) -> None:
    check_folder(folder)
    for record in write_form(form, folder):
        console.write(parity.one_line(record, console))
    _say_written(folder, console)


def _say_written(path: Path, console: Console) -> None:
    console.say("console.written", path=path)


if __name__ == "__main__":
    with packages_needed():
        sys.exit(main())
