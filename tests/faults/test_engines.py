"""An engine that cannot be loaded: the page says so, and the other one goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.faults.conftest import Start
from tests.ui.reading import bars

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
    assert page.get_by_role("radio", name=absent).is_disabled()
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


@pytest.mark.parametrize("break_it", [_damage, _empty, _remove])
def test_without_a_good_onnx_file_pytorch_goes_on(
    broken: Start, browser: Any, break_it: Any
) -> None:
    server = broken(break_it)
    page = _open(browser, server.url)
    _check(page, "The ONNX file of this model cannot be run here", "ONNX Runtime")
    log = server.log.read_text()
    assert log.count("WARNING ui.engines: ONNX Runtime cannot run a file") == 1
    assert "ERROR" not in log


def _no_torch(folder: Path) -> None:
    (folder / "torch.py").write_text("raise ImportError('not installed')\n")


def _broken_torch(folder: Path) -> None:
    (folder / "torch.py").write_text("raise OSError('libtorch.so: wrong ELF class')\n")


@pytest.mark.parametrize("break_it", [_no_torch, _broken_torch])
def test_without_pytorch_onnx_runtime_goes_on(broken: Start, browser: Any, break_it: Any) -> None:
    server = broken(break_it)
    page = _open(browser, server.url)
    _check(page, "PyTorch is not available here", "PyTorch")
    log = server.log.read_text()
    assert log.count("WARNING ui.torch_loading") == 1
    assert "ERROR" not in log
