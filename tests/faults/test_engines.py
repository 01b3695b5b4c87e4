"""An engine that cannot be loaded: the page says so, and the other one goes on."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faults.conftest import Start
from tests.ui.reading import bars, open_more
from tests.ui.started import StartedServer

PATIENCE_SECONDS = 90.0
PROMPT_A = ["0.1742", "0.0037", "0.0124", "0.4835", "0.3261"]


def _open(browser: Any, url: str) -> Any:
    page = browser.new_page(locale="en-US")
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(url + "?v=1&lang=en")
    page.locator(".mg-bars tbody tr").first.wait_for()
    return page


def _check(page: Any, text: str, absent: str) -> None:
    page.get_by_text(text).first.wait_for()
    assert [probability for probability, _ in bars(page).values()] == PROMPT_A
    assert open_more(page).get_by_role("radio", name=absent).is_disabled()
    page.get_by_role("button", name="猫").first.click()
    page.locator(".mg-chip").nth(2).wait_for()
    page.wait_for_function("() => !document.querySelector('.mg-bars').innerText.includes('0.1742')")
    assert page.faults == []
    page.close()


def _spoil(content: bytes) -> bytes:
    third = len(content) // 3
    return content[:third] + b"\xff" * 200 + content[third + 200 :]


def _damage(folder: Path) -> None:
    for path in (folder / "export/files").glob("*.onnx"):
        path.write_bytes(_spoil(path.read_bytes()))


def _empty(folder: Path) -> None:
    for path in (folder / "export/files").glob("*.onnx"):
        path.write_bytes(b"")


def _remove(folder: Path) -> None:
    for path in (folder / "export/files").glob("*.onnx"):
        path.unlink()


def _view(server: StartedServer, engine: str) -> dict[str, Any]:
    """What the page's call answers for 我 喜欢, once PyTorch has been looked for."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while (answer := _ask(server, engine)).get("error", {}).get("code") == "torch_loading":
        assert time.monotonic() < give_up
        time.sleep(0.2)
    return answer


def _ask(server: StartedServer, engine: str) -> dict[str, Any]:
    with urllib.request.urlopen(server.url + "config", timeout=20) as response:
        components = json.load(response)["components"]
    number = next(c["id"] for c in components if c["type"] == "html")
    request = {"tokens": [0, 1], "engine": engine, "model": "teaching", "lang": "en"}
    body = {"data": request, "component_id": number, "fn_name": "view", "session_hash": "x"}
    asked = urllib.request.Request(
        server.url + "gradio_api/component_server",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=60) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def _check_calls(server: StartedServer, works: str, code: str, broken: str) -> None:
    shown = [f"{share:.4f}" for share in _view(server, works)["probabilities"]]
    assert shown == PROMPT_A
    assert _view(server, broken)["error"]["code"] == code


def _check_log(server: StartedServer, warning: str) -> None:
    log = server.log.read_text()
    assert log.count(warning) == 1
    assert "ERROR" not in log


def _no_torch(folder: Path) -> None:
    (folder / "torch.py").write_text("raise ImportError('not installed')\n")


def _broken_torch(folder: Path) -> None:
    (folder / "torch.py").write_text("raise OSError('libtorch.so: wrong ELF class')\n")


_ONNX_WARNING = "WARNING ui.engines: ONNX Runtime cannot run a file"
_TORCH_WARNING = "WARNING ui.torch_loading"
Break = Callable[[Path], None]


def test_without_a_good_onnx_file_pytorch_goes_on(broken: Start, browser: Any) -> None:
    server = broken(_damage)
    page = _open(browser, server.url)
    _check(page, "The ONNX file of this model cannot be run here", "ONNX Runtime")
    _check_log(server, _ONNX_WARNING)


@pytest.mark.long("a server of its own")
def test_without_pytorch_onnx_runtime_goes_on(broken: Start, browser: Any) -> None:
    server = broken(_no_torch)
    page = _open(browser, server.url)
    _check(page, "PyTorch is not available here", "PyTorch")
    _check_log(server, _TORCH_WARNING)


@pytest.mark.long("a server for each")
@pytest.mark.parametrize("break_it", [_damage, _empty, _remove])
def test_every_bad_onnx_file_is_named_and_pytorch_answers(broken: Start, break_it: Break) -> None:
    server = broken(break_it)
    _check_calls(server, "torch", "onnx_broken", "onnxruntime")
    _check_log(server, _ONNX_WARNING)


@pytest.mark.long("a server for each")
@pytest.mark.parametrize("break_it", [_no_torch, _broken_torch])
def test_every_bad_pytorch_is_named_and_onnx_runtime_answers(
    broken: Start, break_it: Break
) -> None:
    server = broken(break_it)
    _check_calls(server, "onnxruntime", "torch_missing", "torch")
    _check_log(server, _TORCH_WARNING)
