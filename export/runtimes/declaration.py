"""The declaration of an external engine: its packages, its worker, the forms it can run.

Each engine's own file declares a `Runtime` and a `load(LoadRequest)` that runs in the engine's own
interpreter, where only NumPy and the engine are installed. Nothing here needs the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
Feeds = Mapping[str, NDArray[Any]]
Run = Callable[[Feeds], Arrays]
"""Arrays by the file's input names -> arrays by its output names."""

EVERY_USE = {"logits": "plain", "trace": "trace", "decode": "decode", "generate": "generate"}
"""The default form of the file (see `export.forms.catalogue`) for each use of an engine."""


@dataclass(frozen=True)
class Environment:
    """An engine's environment: "pip" is a venv, "npm" a folder, "here" this interpreter.

    packages: exact pins. without_dependencies: installed after them with --no-deps; for packages
        that declare a dependency which is unused and conflicts with the others.
    variables: set during installation.
    shares: sees this interpreter's packages after its own, so that one as large as torch is not
        installed again where the version is the pinned one.
    python: of an "npm" environment, Python packages that its worker needs, in the folder `python`.
    """

    name: str
    manager: str
    packages: tuple[str, ...]
    without_dependencies: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    python: tuple[str, ...] = ()
    shares: bool = False

    def install_lines(self) -> list[str]:
        """The commands that install it by hand, in order."""
        if self.manager == "npm":
            prefix = "".join(f"{key}={value} " for key, value in self.variables.items())
            lines = [f"{prefix}npm install {' '.join(self.packages)}"]
            if self.python:
                lines.append(f"pip install --target python {' '.join(self.python)}")
            return lines
        lines = [f"pip install {' '.join(self.packages)}"]
        if self.without_dependencies:
            lines.append(f"pip install --no-deps {' '.join(self.without_dependencies)}")
        return lines


@dataclass(frozen=True)
class Runtime:
    """One engine in one version.

    name: on the command line. worker: the Python module with `load`, or the npm package that
        `worker.mjs` loads. here: distributions this interpreter needs as well.
    forms: use ("logits", "trace", "decode", "generate") -> form of the file. cannot: use ->
        why the engine can't do it.
    quick: installs and runs in reasonable time, so CI runs it.
    approximate: the largest difference allowed if a part of its network is another function, as
        llama.cpp's GELU is; None: rounding only.
    """

    name: str
    title: str
    environment: Environment
    worker: str
    forms: Mapping[str, str] = field(default_factory=lambda: EVERY_USE)
    cannot: Mapping[str, str] = field(default_factory=dict)
    here: tuple[str, ...] = ()
    quick: bool = False
    approximate: float | None = None

    def install_lines(self) -> list[str]:
        """The commands that install the engine by hand, in order."""
        lines = self.environment.install_lines()
        return [*lines, f"pip install {' '.join(self.here)}"] if self.here else lines

    @property
    def in_node(self) -> bool:
        """Whether the worker is JavaScript: an npm package, not a dotted Python module."""
        return "." not in self.worker


@dataclass(frozen=True)
class LoadRequest:
    """A worker's request to load a file.

    inputs, names: the file's inputs and outputs, in order, for engines that lose their names.
    sizes: the network's. scratch: a temporary folder for the engine's conversions.
    """

    file: Path
    form: str
    inputs: tuple[str, ...]
    names: tuple[str, ...]
    sizes: Mapping[str, int]
    scratch: Path


def as_int64(array: NDArray[Any]) -> NDArray[np.int64]:
    """Contiguous int64, as every file's token ids are."""
    return np.ascontiguousarray(array, dtype=np.int64)
