"""The command line of the ONNX files.

python -m export                      write the shipped files and prove them
python -m export --form static        write another form of them
python -m export parity [NAMES...]    run them in every engine that is installed
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from export.compare import largest
from export.form_command import write_form
from export.forms import FORMS
from export.parity import command as parity
from export.shipped import FILES, write_all


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m export",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, help=f"folder to write (default {FILES.name}/)")
    parser.add_argument("--form", choices=list(FORMS), help="write this form instead")
    commands = parser.add_subparsers(dest="command", metavar="")
    parity.add_arguments(commands.add_parser("parity", help="run the files in every engine"))
    options = parser.parse_args(arguments)
    if options.command == "parity":
        return parity.run(options)
    if options.form is not None:
        _write_form(options.form, options.out or Path())
    else:
        _write_shipped(options.out or FILES)
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
