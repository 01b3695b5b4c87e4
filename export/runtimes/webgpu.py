"""WebGPU in a real browser: onnxruntime-web's build for it, in Chromium.

The adapter is SwiftShader, Chromium's own Vulkan in software: the same shaders as on a graphics
card, at a processor's pace. A shader is compiled when a shape is first met. Operations on shapes
stay on the processor, as ONNX Runtime wants them.
"""

from __future__ import annotations

from typing import Any

from export.runtimes import chromium
from export.runtimes.declaration import LoadRequest, Run, Runtime
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


def load(request: LoadRequest) -> Run:
    """A page with the file loaded on the adapter."""
    return chromium.run_in(new_page(), request.file, "webgpu")


def new_page() -> Any:
    """A page of a browser with WebGPU.

    Raises:
        RuntimeError: the browser offers no adapter.
    """
    page = chromium.new_page(_ARGUMENTS)
    page.goto(chromium.served(chromium.Handler))  # WebGPU is for secure addresses only
    found = page.evaluate(
        "async () => (await navigator.gpu?.requestAdapter())?.info.architecture ?? null"
    )
    if found is None:
        raise RuntimeError("this browser offers no WebGPU adapter")
    _ADAPTER[:] = [found]
    return page


def version() -> str:
    """The npm package's version, the browser's, and the adapter."""
    return f"{chromium.version()}, {_ADAPTER[0]}"
