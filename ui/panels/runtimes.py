"""ONNX and runtimes: what every engine made of the shipped files, and the files to take away."""

from __future__ import annotations

import base64
from dataclasses import asdict
from pathlib import Path
from typing import Any

from export.parity.record import MISSING, Record
from export.parity.results import RESULTS, read
from model.errors import InputError
from ui.calls import Request, Response, server_call
from ui.shipped_models import FILES
from ui.static_page import served

_PACK = "mini_gpt_proof_pack.zip"  # export.pack.archive needs PyTorch


@server_call
def runtimes(request: Request) -> Response:
    """One entry an engine with its measurements, the shipped files, and where the page without
    a server is (None if it is not served)."""
    records = [record for record in read(RESULTS) if record.verdict != MISSING]
    return {
        "engines": [
            _engine([record for record in records if record.runtime == name])
            for name in dict.fromkeys(record.runtime for record in records)
        ],
        "files": [{"name": path.name, "bytes": path.stat().st_size} for path in _files()],
        "pack": _PACK,
        "page": served.ADDRESS if served.folder() else None,
    }


@server_call
def shipped_file(request: Request) -> Response:
    """A shipped file's content in base64.

    Raises (as an answer):
        InputError: no shipped file has that name.
    """
    by_name = {path.name: path for path in _files()}
    name = request.get("name")
    if not isinstance(name, str) or name not in by_name:
        raise InputError("choice", name="file", choices=", ".join(by_name), value=repr(name)[:60])
    return {"name": name, "content": _encoded(by_name[name].read_bytes())}


@server_call
def proof_pack(request: Request) -> Response:
    """The proof pack's content in base64; made at the first call, which takes a second or two."""
    from export.pack.archive import PACK
    from export.pack.archive import proof_pack as made

    return {"name": PACK, "content": _encoded(made())}


SERVER_FUNCTIONS = [runtimes, shipped_file, proof_pack]


def _files() -> list[Path]:
    return sorted(FILES.iterdir())


def _engine(records: list[Record]) -> dict[str, Any]:
    """`runs`: the measurements by weights and use, as `teaching.logits`."""
    first = records[0]
    return {
        "name": first.runtime,
        "title": first.title,
        "version": first.version,
        "runs": {f"{record.weights}.{record.use}": asdict(record) for record in records},
    }


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()
