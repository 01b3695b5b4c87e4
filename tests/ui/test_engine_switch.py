"""PyTorch and ONNX Runtime, switched at any moment, and how far they differ."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.ui.conftest import OpenPage, Watched
from tests.ui.reading import (
    PROMPT_A,
    bar_row,
    bars,
    chips,
    click_word,
    press,
    wait_for_alert,
    wait_for_bars,
    wait_for_count,
)
from tests.ui.started import started


def switch_to(page: Any, engine: str) -> None:
    page.locator(".mg-engine").get_by_text(engine, exact=True).click()


def test_the_largest_difference_is_shown_for_the_present_sentence(page: Any) -> None:
    status = page.get_by_role("status").filter(has_text="两个引擎最大相差")
    status.filter(has_text="× 10").wait_for()
    shown = re.fullmatch(r"两个引擎最大相差 \d\.\d × 10⁻[⁶⁷⁸]", status.inner_text())
    assert shown is not None
    assert "差得最多的值" in status.get_attribute("title")


def test_the_engine_can_be_switched_and_gives_the_same_four_decimals(page: Any) -> None:
    switch_to(page, "PyTorch")
    page.wait_for_function('new URLSearchParams(location.search).get("engine") === "torch"')
    click_word(page, "猫")
    press(page, "撤销")
    wait_for_bars(page, PROMPT_A)
    assert page.get_by_role("radio", name="PyTorch").is_checked()
    switch_to(page, "ONNX Runtime")
    assert bars(page) == PROMPT_A


def test_the_engine_can_be_switched_during_generation(page: Any) -> None:
    page.get_by_label("生成多少个词").fill("8")
    press(page, "连续生成")
    page.wait_for_function('document.querySelectorAll(".mg-chip").length >= 4')
    switch_to(page, "PyTorch")
    page.wait_for_function('document.querySelectorAll(".mg-chip").length >= 7')
    switch_to(page, "ONNX Runtime")
    wait_for_count(page, 10)
    assert chips(page)[:3] == ["我", "喜欢", "学习"]


def test_without_torch_the_page_says_so_and_goes_on(
    open_page: OpenPage, watched: Watched, tmp_path: Path
) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('no torch here')\n", encoding="utf-8")
    server = started(tmp_path / "log.txt", PYTHONPATH=str(tmp_path))
    watched.host = urlsplit(server.url).netloc
    try:
        _without_torch(open_page, server.url)
    finally:
        server.stop()


def _without_torch(open_page: OpenPage, url: str) -> None:
    page = open_page("?engine=torch&tokens=4-1", url=url)
    wait_for_alert(page, "这里无法加载 PyTorch，ONNX Runtime 照常可用。")
    bar_row(page, "学习 0.5897 2.6821").wait_for()
    assert page.get_by_role("radio", name="ONNX Runtime").is_checked()
    page.get_by_text("这里没有 PyTorch，ONNX Runtime 照常可用。").wait_for()
    assert page.get_by_role("radio", name="PyTorch").is_disabled()
    press(page, "让模型接一个词")
    wait_for_count(page, 3)
