"""ONNX and runtimes: every engine's results with the shipped files, and downloads."""

from __future__ import annotations

import base64
from dataclasses import asdict
from pathlib import Path
from typing import Any

from export.parity.engines import builds
from export.parity.record import MISSING, Record
from export.parity.results import RESULTS, read
from model.errors import InputError
from ui.calls import Request, Response, server_call
from ui.panel import Panel, Way
from ui.shipped_models import FILES
from ui.static_page import served

_PACK = "mini_gpt_proof_pack.zip"  # export.pack.archive needs PyTorch


@server_call
def runtimes(request: Request) -> Response:
    """One entry per engine with its measurements, how many of them are independent, the shipped
    files, and the address of the static page (None if it is not served)."""
    records = [record for record in read(RESULTS) if record.verdict != MISSING]
    return {
        "independent": len(builds({record.runtime: None for record in records})),
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

    Raises:
        InputError: no shipped file has that name; `server_call` makes it an answer.
    """
    by_name = {path.name: path for path in _files()}
    name = request.get("name")
    if not isinstance(name, str) or name not in by_name:
        raise InputError("choice", name="file", choices=", ".join(by_name), value=repr(name)[:60])
    return {"name": name, "content": _encoded(by_name[name].read_bytes())}


@server_call
def proof_pack(request: Request) -> Response:
    """The proof pack's content in base64; built at the first call, which takes 1 to 2 s."""
    from export.pack.archive import PACK
    from export.pack.archive import proof_pack as made

    return {"name": PACK, "content": _encoded(made())}


SERVER_FUNCTIONS = [runtimes, shipped_file, proof_pack]
PANEL = Panel(Way.PROOF, order=80, shows_results=False)


def _files() -> list[Path]:
    return sorted(FILES.iterdir())


def _engine(records: list[Record]) -> dict[str, Any]:
    """`runs` has the measurements by weights and use, such as `teaching.logits`."""
    first = records[0]
    return {
        "name": first.runtime,
        "title": first.title,
        "version": first.version,
        "runs": {f"{record.weights}.{record.use}": asdict(record) for record in records},
    }


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()
