"""What a stored measurement was made from: a stamp that changes with the graphs or the engine.

Measuring every engine takes hours, so the results are stored and not repeated by each run of the
tests. A stamp beside them identifies the graphs and the packages; a test compares it with the
current code's. Metadata and the names of weights change no number and do not count.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import onnx

from export.parity.files import FormFiles
from export.parity.subjects import subjects
from export.runtimes.declaration import Runtime

NAME = "made_from.json"
_READ_BY_LOADERS = (".json", ".onnx", ".safetensors")


def stamp(engine: Runtime, files: FormFiles) -> str:
    """A digest of the packages installed for `engine` and of the graphs it runs.

    Those of the lesson's weights represent all: other weights go through the same code.
    """
    lesson = subjects()[0]
    digest = hashlib.sha256(json.dumps(engine.environment.install_lines()).encode())
    for form in sorted(set(engine.forms.values())):
        digest.update(form.encode())
        digest.update(_content(files.path(lesson, form)))
    return digest.hexdigest()[:16]


def _content(path: Path) -> bytes:
    """What a measurement depends on: a file's graph; of a folder everything but texts for people
    and licences, whose wording changes no number."""
    if not path.is_dir():
        return graph_bytes(path)
    kept = [file for file in sorted(path.rglob("*")) if file.suffix in _READ_BY_LOADERS]
    return b"".join(
        graph_bytes(file) if file.suffix == ".onnx" else file.read_bytes() for file in kept
    )


def graph_bytes(path: Path) -> bytes:
    """The file's graph alone, its weights named by the order in which nodes use them."""
    graph = onnx.load(path).graph
    weights = {weight.name: weight for weight in graph.initializer}
    used = [name for node in _nodes(graph) for name in node.input if name in weights]
    places = {name: f"weight_{place}" for place, name in enumerate(dict.fromkeys(used))}
    for node in _nodes(graph):
        node.input[:] = [places.get(name, name) for name in node.input]
    for name, weight in weights.items():
        weight.name = places.get(name, name)
    ordered = sorted(graph.initializer, key=lambda weight: weight.name)
    del graph.initializer[:]
    graph.initializer.extend(ordered)
    return bytes(graph.SerializeToString(deterministic=True))


def _nodes(graph: onnx.GraphProto) -> Iterator[onnx.NodeProto]:
    """Every node, including those of a loop's body, which may use the weights outside it."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _nodes(attribute.g)


def read(folder: Path) -> dict[str, str]:
    """The stored stamps by engine, or none."""
    path = folder / NAME
    found: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def keep(folder: Path, stamps: dict[str, str]) -> None:
    """Store these stamps beside the results; stamps of other engines are kept."""
    merged = dict(sorted({**read(folder), **stamps}.items()))
    (folder / NAME).write_text(json.dumps(merged, indent=1) + "\n", encoding="utf-8")
