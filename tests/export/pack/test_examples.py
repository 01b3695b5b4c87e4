"""Every example of the pack is run as its first lines say, and finds what it should."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from export.pack.archive import proof_pack
from export.runtimes.catalogue import RUNTIMES
from export.runtimes.declaration import Runtime
from export.runtimes.environments import default_root, folder_of, is_ready
from export.runtimes.onnx_runtime import onnxruntime, onnxruntime_runner
from export.runtimes.silence import NO_TELEMETRY
from export.shipped import FILES

SAID = "30 prompts, every value, largest difference "


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pack")
    zipfile.ZipFile(BytesIO(proof_pack())).extractall(folder)
    return folder


def missing(what: str) -> None:
    """Skip, or fail where everything has to be there."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def node_modules(runtime: Runtime) -> Path:
    if not is_ready(runtime, default_root()):
        missing(f"{runtime.name}: python -m export parity {runtime.name} --install")
    folder = folder_of(runtime.environment, default_root())
    assert folder is not None
    return folder / "node_modules"


def output_of(command: list[str], folder: Path, **variables: str) -> str:
    """What it prints; it leaves nothing in the home folder of whoever runs it."""
    with TemporaryDirectory() as home:
        printed = _run(command, folder, {**variables, "HOME": home})
        assert list(Path(home).rglob("*")) == []
    return printed


def _run(command: list[str], folder: Path, variables: dict[str, str]) -> str:
    given = {name: value for name, value in os.environ.items() if name not in NO_TELEMETRY}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**given, **variables},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_python(unpacked: Path) -> None:
    first, second = output_of([sys.executable, "examples/run.py"], unpacked).splitlines()
    assert first.startswith(SAID)
    assert second == "我 喜欢 -> 学习"


def test_python_on_a_console_without_chinese(unpacked: Path) -> None:
    command = [sys.executable, "examples/run.py"]
    _, second = output_of(command, unpacked, PYTHONIOENCODING="ascii").splitlines()
    assert second == r"\u6211 \u559c\u6b22 -> \u5b66\u4e60"


def test_node(unpacked: Path) -> None:
    if shutil.which("node") is None:
        missing("node is missing")
    (unpacked / "node_modules").unlink(missing_ok=True)
    (unpacked / "node_modules").symlink_to(node_modules(RUNTIMES["onnxruntime-node"]))
    assert output_of(["node", "examples/run.mjs"], unpacked).startswith(SAID)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's
        """Say nothing."""


@pytest.fixture
def address(unpacked: Path) -> Iterator[str]:
    (unpacked / "node_modules").unlink(missing_ok=True)
    (unpacked / "node_modules").symlink_to(node_modules(RUNTIMES["onnxruntime-web"]))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(unpacked)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_browser(address: str, browser: Any) -> None:
    page = browser.new_page()
    page.goto(f"{address}examples/run.html")
    page.wait_for_function("document.getElementById('result').textContent.length > 1")
    assert page.locator("#result").inner_text().startswith(SAID)
    page.close()


def test_cpp(tmp_path: Path) -> None:
    """Against the library of the Python package, with the calls' places declared by hand."""
    compiler = shutil.which("g++")
    if compiler is None:
        missing("g++ is missing")
    found = list((Path(onnxruntime.__file__).parent / "capi").glob("libonnxruntime.so.1*"))
    if not found:
        missing("the onnxruntime package brings no libonnxruntime.so here")
    (tmp_path / "libonnxruntime.so.1").symlink_to(found[0])
    source = Path(__file__).parents[3] / "export" / "pack" / "examples" / "run.cpp"
    include = str(Path(__file__).parent)
    warnings = ["-std=c++17", "-Wall", "-Wextra", "-Werror"]
    command = [str(compiler), *warnings, str(source), "-I", include, "libonnxruntime.so.1"]
    output_of([*command, "-o", "run"], tmp_path)
    model = FILES / "mini_gpt_teaching.onnx"
    for ids in ([0], [0, 1], [4, 1]):
        arguments = ["./run", str(model), *map(str, ids)]
        printed = output_of(arguments, tmp_path, LD_LIBRARY_PATH=str(tmp_path))
        expected = onnxruntime_runner(model)(np.array([ids]))["logits"][0, -1]
        np.testing.assert_allclose([float(line) for line in printed.split()], expected, atol=5e-6)
