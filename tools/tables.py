"""`python -m tools.tables`: write the tables in `docs/` from measurements and shipped files.

A table is between `<!-- table: name -->` and `<!-- end -->`; the rest is left unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from model.console import packages_needed

with packages_needed(__name__):
    import onnx

    from bench.table import table as bench_table
    from export.parity.results import RESULTS as PARITY
    from export.parity.results import read
    from export.parity.table import engines_table, loaders_table
    from export.shipped import FILES
    from ui.measured import DECODE

ROOT = Path(__file__).parents[1]
DOCUMENTS = tuple(sorted((ROOT / "docs").glob("*.md")))
BENCH = ROOT / "bench" / "results"
_PLACE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> None:
    """Rewrite every table in the documents."""
    for path in DOCUMENTS:
        path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")


def with_tables(text: str) -> str:
    """`text` with the text between the markers replaced.

    Raises:
        KeyError: a marker names an unknown table.
    """
    return _PLACE.sub(lambda found: f"{found[1]}{TABLES[found[2]]()}\n{found[3]}", text)


def engines() -> str:
    """The results of `python -m export parity`, one engine per row."""
    return engines_table(read(PARITY), "en")


def loaders() -> str:
    """The results of the loaders of whole folders."""
    return loaders_table(read(PARITY), "en")


def files() -> str:
    """The shipped ONNX files: inputs, outputs, nodes, bytes."""
    return _markdown([["File", "Inputs", "Outputs", "Nodes", "Bytes"], *map(_file, _shipped())])


def _shipped() -> list[Path]:
    return sorted(FILES.glob("*.onnx"), key=lambda path: (path.stem.split("_")[2], path.name))


def _file(path: Path) -> list[str]:
    graph = onnx.load(path).graph
    inputs, outputs = ([value.name for value in side] for side in (graph.input, graph.output))
    return [
        f"`{path.name}`",
        _named(inputs),
        _named(outputs),
        str(len(graph.node)),
        f"{path.stat().st_size:,}",
    ]


def _named(names: list[str]) -> str:
    """Up to three names; of more, the first and the number of the others."""
    shown = names if len(names) <= 3 else [names[0], f"and {len(names) - 1} more"]
    return ", ".join(f"`{name}`" if " " not in name else name for name in shown)


def tokens() -> str:
    """The time of one token at three sizes, in MiniGPT and others; the rest is in ui/measured."""
    whole = bench_table(json.loads(DECODE.read_text(encoding="utf-8")))
    parts = whole.split("\n\n")
    times = [part for part in parts if part.startswith("###") and "memory" not in part]
    shown: list[str] = []
    for heading in times:
        shown += [heading.replace("###", "##"), parts[parts.index(heading) + 1]]
    return "\n\n".join([parts[0], *shown])


def load() -> str:
    """The load measurements: a class, an overload, replicas."""
    return (BENCH / "load.md").read_text(encoding="utf-8").strip()


def _markdown(rows: Iterable[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


TABLES: dict[str, Callable[[], str]] = {
    "engines": engines,
    "loaders": loaders,
    "files": files,
    "tokens": tokens,
    "load": load,
}

if __name__ == "__main__":
    with packages_needed():
        main()
