"""The working area in a real browser: one visit a width, for what must be laid out to be seen."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.model.working.shown_arithmetic import reads
from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import WIDTHS

PLACE = {
    "zh": "头 1，喜欢（位置 1），通道 0：0.9944",
    "en": "head 1, 喜欢 “like” (position 1), channel 0: 0.9944",
}
LINE = "0.1575×(−0.2156) + 0.8425×1.2206 ≈ 0.9944"


def stands_out(page: Any) -> bool:
    """Whether the page can be scrolled sideways."""
    wider: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
    return wider


@pytest.mark.parametrize("width", WIDTHS)
def test_a_cell_shows_its_arithmetic_and_leads_on(open_page: OpenPage, width: int) -> None:
    page = open_page("?v=1&stage=blocks.0.head_outputs", width=width)
    area = page.locator(".mg-working")
    for language in ("zh", "en"):
        page.get_by_role("button", name=PLACE[language]).click()
        line = area.locator(".mg-card .mg-line-text").first  # lessons have an example of their own
        line.wait_for()
        shown = re.sub(r"\s+", " ", line.inner_text()).strip()
        assert shown == LINE
        expression, _, result = shown.partition(" ≈ ")
        assert reads(expression, result)
        assert not stands_out(page)
        page.locator(".mg-tools button").last.click()
    assert area.locator("math").bounding_box()["width"] > 0
    area.get_by_role("navigation").get_by_role("button", name="下一步").click()
    area.locator(".mg-working-step").filter(has_text="第 8 / 19 步").wait_for()
    page.keyboard.press("p")
    area.locator(".mg-working-step").filter(has_text="第 7 / 19 步").wait_for()
    assert not stands_out(page)
