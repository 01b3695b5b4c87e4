"""The command line of the ONNX files.

python -m export                      write the shipped files and prove them
python -m export --form static        write another form of them
python -m export --form decode-ort --model FOLDER
                                      write a model of one's own, of any size, for speed
python -m export parity [NAMES...]    run them in every engine that is installed
"""

from __future__ import annotations

import argparse
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
from model.errors import InputError
from model.whole_file import write_whole


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m export",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, help=f"folder to write (default {FILES.name}/)")
    parser.add_argument("--form", choices=list(FORMS), help="write this form instead")
    parser.add_argument(
        "--model", type=Path, help="folder with config.json and model.safetensors (decode-ort)"
    )
    commands = parser.add_subparsers(dest="command", metavar="")
    parity.add_arguments(commands.add_parser("parity", help="run the files in every engine"))
    pack = commands.add_parser("pack", help="write the proof pack, one zip")
    pack.add_argument("--out", type=Path, default=Path(PACK), help="the zip to write")
    site = commands.add_parser("site", help="write the page that needs no server")
    site.add_argument("--out", type=Path, required=True, help="the folder to serve")
    options = parser.parse_args(arguments)
    if options.command == "parity":
        return parity.run(options)
    try:
        return _run(options, parser)
    except OSError as error:  # a full disk, a folder that may not be written
        print(f"not written: {error.strerror or error}", file=sys.stderr)
        return 1


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    if options.command == "pack":
        write_whole(options.out, proof_pack())
        print(f"written to {options.out}")
        return 0
    if options.command == "site":
        return _write_site(options.out)
    if options.model is not None:
        if options.form not in (DECODE_ORT, DECODE_ORT_INT8):
            parser.error(f"--model goes with --form {DECODE_ORT} or {DECODE_ORT_INT8}")
        return _write_own(options.model, options.form, options.out or Path())
    if options.form is not None:
        _write_form(options.form, options.out or Path())
    else:
        _write_shipped(options.out or FILES)
    return 0


def _write_site(folder: Path) -> int:
    # Not needed for anything else here, and it brings the page's own modules.
    from ui.static_page.assemble import assemble

    names = assemble(folder)
    print(f"{len(names)} files written to {folder}: python -m http.server -d {folder}")
    return 0


def _write_own(model: Path, form: str, folder: Path) -> int:
    try:
        files = write_own(model, form, folder)
    except InputError as error:
        print(error.text("en"), file=sys.stderr)
        return 2
    for file in files:
        print(f"{file}: {file.stat().st_size:,} bytes")
    return 0


def _write_shipped(folder: Path) -> None:
    for proof in write_all(folder):
        worst = largest(proof.differences)
        print(
            f"{proof.file}: {proof.prompts} prompts, {len(proof.differences)} comparisons, "
            f"largest |Δ| {worst.max_abs:.2e} ({worst.name})"
        )
    print(f"written to {folder}")


def _write_form(form: str, folder: Path) -> None:
    for record in write_form(form, folder):
        print(parity.one_line(record))
    print(f"written to {folder}")


if __name__ == "__main__":
    sys.exit(main())
