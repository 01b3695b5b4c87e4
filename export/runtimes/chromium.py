"""onnxruntime-web in a real browser: Chromium, driven by Playwright.

The page is served by this process on its own port; no other host is contacted.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from export.runtimes.declaration import Arrays, Feeds, LoadRequest, Run, Runtime
from export.runtimes.onnxruntime_javascript import WEB

RUNTIMES = (
    Runtime(
        "chromium",
        "onnxruntime-web (wasm) in Chromium",
        WEB,
        __name__,
        here=("playwright",),
        quick=True,
    ),
)

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_WITHOUT_GPU = ("--disable-gpu",)
_BROWSER: list[str] = []  # the one that was started
_SCRIPT = Path(__file__).with_name("chromium.mjs")
_SERVED = "/page.mjs"


class Handler(SimpleHTTPRequestHandler):
    """The npm folder, the scripts, and an empty page that loads the first of them.

    scripts: by address; the first is the page's.
    """

    scripts: ClassVar[Mapping[str, Path]] = {_SERVED: _SCRIPT}

    def do_GET(self) -> None:
        if self.path == "/":
            self._send(
                "text/html",
                f'<!doctype html><script type="module" src="{next(iter(self.scripts))}"></script>',
            )
        elif self.path in self.scripts:
            self._send("text/javascript", self.scripts[self.path].read_text(encoding="utf-8"))
        else:
            super().do_GET()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's
        """Log nothing."""

    def _send(self, kind: str, text: str) -> None:
        content = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def load(request: LoadRequest) -> Run:
    """A page with the file loaded. The npm folder is the working directory."""
    return run_in(new_page(), request.file, "wasm")


def run_in(page: Any, file: Path, provider: str) -> Run:
    """The run of a file in a page, by the library's "wasm" or its "webgpu"."""
    page.goto(served(Handler))
    page.wait_for_function("window.miniGpt !== undefined")
    given = [_encoded(file.read_bytes()), provider]
    page.evaluate("given => window.miniGpt.load(...given)", given)
    return _InPage(page)


class _InPage:
    """A run that reports its time inside the page: the transfer takes ten times as long."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self.seconds = 0.0

    def __call__(self, feeds: Feeds) -> Arrays:
        given = {
            name: [str(array.dtype), list(array.shape), _encoded(array.tobytes())]
            for name, array in feeds.items()
        }
        answer = self._page.evaluate("feeds => window.miniGpt.run(feeds)", given)
        self.seconds = answer["seconds"]
        return {
            name: np.frombuffer(base64.b64decode(content), dtype).reshape(shape)
            for name, (dtype, shape, content) in answer["given"].items()
        }


def served(handler: type[Handler]) -> str:
    """The address of a server in this process for the npm folder and the handler's scripts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(Path.cwd())))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def version() -> str:
    """The npm package's version, and the browser's."""
    package = Path("node_modules/onnxruntime-web/package.json")
    stated = json.loads(package.read_text(encoding="utf-8"))["version"]
    return f"{stated}, {browser_version()}"


def browser_version() -> str:
    """The started browser's name and version."""
    return _BROWSER[0]


def new_page(arguments: Sequence[str] = _WITHOUT_GPU) -> Any:
    """A page of the installed browser, or of Playwright's own."""
    playwright: Any = importlib.import_module("playwright.sync_api").sync_playwright().start()
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)
    browser = playwright.chromium.launch(executable_path=found, args=[*_ARGUMENTS, *arguments])
    _BROWSER[:] = [f"Chromium {browser.version.partition('.')[0]}"]
    return browser.new_page()


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()
