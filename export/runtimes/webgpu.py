"""WebGPU in a real browser: onnxruntime-web's build for it, in Chromium.

The adapter is SwiftShader, Chromium's own Vulkan in software: the same shaders as on a graphics
card, at a processor's pace. A shader is compiled when a shape is first met. Operations on shapes
stay on the processor, as ONNX Runtime wants them; that it is not all of them is checked.
"""

from __future__ import annotations

from typing import Any

from export.runtimes import chromium
from export.runtimes.declaration import Arrays, Feeds, LoadRequest, Run, Runtime
from export.runtimes.onnxruntime_javascript import WEB

RUNTIMES = (
    Runtime(
        "webgpu",
        "onnxruntime-web (WebGPU) in Chromium",
        WEB,
        __name__,
        here=("playwright",),
    ),
)
_ARGUMENTS = ("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader")
_ADAPTER: list[str] = []  # the one that was found
_COUNTING = """
window.shaderRuns = 0;
const pass = window.GPUComputePassEncoder?.prototype;
const dispatch = pass?.dispatchWorkgroups;
if (dispatch) {
  pass.dispatchWorkgroups = function (...sizes) {
    window.shaderRuns += 1;
    return dispatch.apply(this, sizes);
  };
}
"""


def load(request: LoadRequest) -> Run:
    """A page with the file loaded on the adapter."""
    page = chromium.new_page(_ARGUMENTS)
    page.add_init_script(_COUNTING)
    page.goto(chromium.served(chromium.Handler))  # WebGPU is for secure addresses only
    found = page.evaluate(
        "async () => (await navigator.gpu?.requestAdapter())?.info.architecture ?? null"
    )
    if found is None:
        raise RuntimeError("this browser offers no WebGPU adapter")
    _ADAPTER[:] = [found]
    return on_adapter(page, chromium.run_in(page, request.file, "webgpu"))


def on_adapter(page: Any, run: Run) -> Run:
    """`run`, refused if its first answer came without a shader."""
    return _OnAdapter(page, run)


class _OnAdapter:
    def __init__(self, page: Any, run: Any) -> None:
        self._page, self._run = page, run
        self._is_checked = False
        self.seconds = 0.0

    def __call__(self, feeds: Feeds) -> Arrays:
        results: Arrays = self._run(feeds)
        self.seconds = self._run.seconds
        if not self._is_checked and not self._page.evaluate("() => window.shaderRuns"):
            raise RuntimeError("nothing was computed on the WebGPU adapter")
        self._is_checked = True
        return results


def version() -> str:
    """The npm package's version, the browser's, and the adapter."""
    return f"{chromium.version()}, {_ADAPTER[0]}"
