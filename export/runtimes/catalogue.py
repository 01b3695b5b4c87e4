"""Every external engine that the project supports, in the order of the table."""

from __future__ import annotations

from export.runtimes import (
    chromium,
    genai,
    iree,
    jax,
    litert,
    llama_cpp,
    mnn,
    ncnn,
    onnx2torch,
    onnxruntime_javascript,
    onnxruntime_python,
    opencv,
    openvino,
    optimum,
    reference_evaluator,
    tinygrad,
    tract,
    transformers,
    transformers_4,
    transformers_js,
    transformers_js_chromium,
    tvm,
    webgpu,
)
from export.runtimes.declaration import Runtime
from model.errors import InputError

RUNTIMES: dict[str, Runtime] = {
    runtime.name: runtime
    for module in (
        onnxruntime_python,
        reference_evaluator,
        onnxruntime_javascript,
        chromium,
        webgpu,
        openvino,
        tract,
        opencv,
        mnn,
        ncnn,
        tinygrad,
        tvm,
        iree,
        onnx2torch,
        jax,
        litert,
        transformers,
        transformers_4,
        optimum,
        transformers_js,
        transformers_js_chromium,
        genai,
        llama_cpp,
    )
    for runtime in module.RUNTIMES
}


def chosen(names: list[str], quick: bool) -> list[Runtime]:
    """The engines named `names`, or all; `quick` keeps those that install and run fast.

    Raises:
        InputError: there is no engine of that name.
    """
    for name in names:
        if name not in RUNTIMES:
            known = ", ".join(RUNTIMES)
            raise InputError("choice", name="runtime", choices=known, value=repr(name))
    wanted = [RUNTIMES[name] for name in names] or list(RUNTIMES.values())
    return [runtime for runtime in wanted if runtime.quick or not quick]
