"""transformers.js on a whole folder in a real browser: Chromium, driven by Playwright.

Its page gets the library, the folder and the WebAssembly files from this process; the library
asks a CDN for the last ones, which is answered from the same package in the npm folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from export.runtimes.chromium import Handler, browser_version, new_page, served
from export.runtimes.declaration import LoadRequest, Run, Runtime
from export.runtimes.folders import AS_TEXT
from export.runtimes.transformers_js import ENVIRONMENT, PIPELINE, package_version, run_by

RUNTIMES = (
    Runtime(
        "transformers-js-chromium",
        "transformers.js in Chromium",
        ENVIRONMENT,
        __name__,
        AS_TEXT,
        here=("playwright",),
        quick=True,
    ),
)
_CDN = "https://cdn.jsdelivr.net/npm/onnxruntime-web@*/dist/*"
_SCRIPT = Path(__file__).with_name("transformers_js_page.mjs")
_MODELS = "/models/"


class _Folder(Handler):
    """The folder's files too, under `/models/<its name>/`."""

    scripts: ClassVar[Mapping[str, Path]] = {
        "/page.mjs": _SCRIPT,
        f"/{PIPELINE.name}": PIPELINE,
    }
    folder: ClassVar[Path]

    def translate_path(self, path: str) -> str:
        start = f"{_MODELS}{self.folder.name}/"
        if path.startswith(start):
            return str(self.folder / path.removeprefix(start))
        return super().translate_path(path)


def load(request: LoadRequest) -> Run:
    """`pipeline("text-generation", folder)` in a page."""
    _Folder.folder = request.file
    page = new_page()
    page.route(_CDN, _from_the_package)
    page.goto(served(_Folder))
    page.wait_for_function("window.miniGpt !== undefined")
    page.evaluate("name => window.miniGpt.load(name)", request.file.name)

    def ask(question: dict[str, Any]) -> Any:
        return page.evaluate("question => window.miniGpt.ask(question)", question)

    return run_by(ask, request.sizes["context_length"])


def version() -> str:
    """The npm package's version, and the browser's."""
    return f"{package_version()}, {browser_version()}"


def _from_the_package(route: Any) -> None:
    name = Path(route.request.url).name
    route.fulfill(path=Path("node_modules/onnxruntime-web/dist") / name)
