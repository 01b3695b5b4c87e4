"""The files of onnxruntime-web, installed by npm once into the cache folder."""

from __future__ import annotations

import json
from pathlib import Path

from export.runtimes.environments import default_root, folder_of, make
from export.runtimes.onnxruntime_javascript import WEB

FILES = ("ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm")
_PACKAGE = Path("node_modules") / "onnxruntime-web"


def fetched() -> Path:
    """The package's folder, installed by npm if it is not there.

    Raises:
        subprocess.CalledProcessError: npm failed; `output` has what it printed.
    """
    root = default_root()
    make(WEB, root)
    folder = folder_of(WEB, root)
    assert folder is not None
    return folder / _PACKAGE


def contents() -> dict[str, bytes]:
    """The files a page needs, by name, and `about.json` with their version."""
    package = fetched()
    manifest = json.loads((package / "package.json").read_text(encoding="utf-8"))
    about = {"name": "onnxruntime-web", "version": manifest["version"], "licence": "MIT"}
    found = {name: (package / "dist" / name).read_bytes() for name in FILES}
    return found | {"about.json": (json.dumps(about) + "\n").encode()}
