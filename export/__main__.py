"""`python -m export [--out FOLDER]`: write the shipped ONNX files and prove them."""

from __future__ import annotations

import argparse
from pathlib import Path

from export.compare import largest
from export.shipped import FILES, write_all


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m export", description=__doc__)
    parser.add_argument("--out", type=Path, default=FILES, help=f"folder to write ({FILES})")
    options = parser.parse_args(arguments)
    for proof in write_all(options.out):
        worst = largest(proof.differences)
        print(
            f"{proof.file}: {proof.prompts} prompts, {len(proof.differences)} comparisons, "
            f"largest |Δ| {worst.max_abs:.2e} ({worst.name})"
        )
    print(f"written to {options.out}")


if __name__ == "__main__":
    main()
