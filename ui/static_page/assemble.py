"""`python -m ui.static_page --out FOLDER`: the page as files, ready for `python -m http.server`.

Map, bars, texts and colours are the same modules as in the Gradio page; the numbers come from
the shipped trace files, run by onnxruntime-web.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from export.pack.expected import expected_values
from languages import LANGUAGES, glosses
from model.vocabulary import LESSON_A
from model.whole_file import write_whole
from ui import views
from ui.modules import WEB, needed_modules, stamp
from ui.requests import COUNT_LIMIT
from ui.sentences import TEXT_LIMIT, TOKEN_LIMIT
from ui.shipped_models import FILES, model_ids, other_words
from ui.static_page import runtime_files
from ui.static_page.descriptions import descriptions
from ui.static_page.listed import LIST, WORKER, list_of
from ui.texts import paragraphs, strings, style

_OWN = "static."
_STATIC = WEB / "static"
PAGE = "index.html"
_AT_ROOT = (PAGE, WORKER)


def assemble(folder: Path) -> list[str]:
    """Write the page into `folder`; returns the names of its files.

    Raises:
        subprocess.CalledProcessError: npm could not fetch onnxruntime-web.
    """
    files = _page() | _models()
    files |= {f"ort/{name}": content for name, content in runtime_files.contents().items()}
    version = hashlib.sha256(b"".join(files[name] for name in sorted(files))).hexdigest()[:12]
    files["page.json"] = _json(described(version))
    files[LIST] = _json(list_of(list(files)))
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    return sorted(files)


def described(version: str) -> dict[str, Any]:
    """`page.json`: what ui/page.py passes to the Gradio page, and the models' descriptions."""
    return {
        "version": version,
        "initial": {
            "view": views.view({"tokens": list(LESSON_A)}),
            "strings": _strings(),
            "languages": list(LANGUAGES),
            "glosses": glosses(),
            "panels": [],
            "without_server": True,
            "models": list(model_ids()),
            "other_words": other_words(),
            "engines": ["onnxruntime"],
            "limits": {"tokens": TOKEN_LIMIT, "text": TEXT_LIMIT, "count": COUNT_LIMIT},
            "stamp": stamp(),
        },
        "descriptions": descriptions(),
    }


def _strings() -> dict[str, dict[str, str]]:
    """The page's texts; `static.<key>` replaces a `<key>` whose text mentions the server."""
    texts = strings()
    own = {key.removeprefix(_OWN): text for key, text in texts.items() if key.startswith(_OWN)}
    return texts | {key: text for key, text in own.items() if key in texts}


def _page() -> dict[str, bytes]:
    modules = needed_modules(["static/main.js"])
    files = {f"web/{module}": (WEB / module).read_bytes() for module in modules}
    files |= {name: (_STATIC / name).read_bytes() for name in _AT_ROOT}
    said = f"<noscript>{paragraphs('shell.no_script')}</noscript>"
    files[PAGE] = files[PAGE].replace(b"<noscript></noscript>", said.encode())
    files["style.css"] = style().encode()
    files["healthz"] = b"ok\n"  # page.js requests it to see whether the network is back
    return files


def _models() -> dict[str, bytes]:
    names = [f"mini_gpt_{name}_trace.onnx" for name in model_ids()]
    files = {f"files/{name}": (FILES / name).read_bytes() for name in names}
    return files | {"expected.json": _json(expected_values())}


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
