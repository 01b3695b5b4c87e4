"""Nothing stands out of the page to the right: every panel, both languages, desktop and phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.panels.opening import SHOWS, WIDTHS, overflow
from tests.ui.reading import press
from tests.ui.text_boxes import NONE
from tests.ui.text_boxes import faults as text_faults

TORCH_MS = 120_000  # the gradients wait for PyTorch, on a busy machine

# Marked weights, a switched-off part and a draw: the longest that the panels show.
QUERY = (
    "?v=1&edits=token_embedding.weight~0.0~0.9&switches=blocks.0.head.1~false"
    "&sampling=sample~1~0~0.8~3"
)


def faults(page: Any) -> dict[str, list[str]]:
    """What stands out, by panel."""
    found = {}
    for panel, shown in SHOWS.items():
        page.locator(f"#mg-tab-{panel}").click()
        page.locator(f"#mg-panel-{panel} {shown}").first.wait_for()
        found[panel] = overflow(page, panel)
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_no_panel_stands_out_of_the_page(open_page: OpenPage, width: int) -> None:
    page = open_page(QUERY, width=width)
    page.set_default_timeout(TORCH_MS)
    tabs = page.get_by_role("tab").evaluate_all("tabs => tabs.map((tab) => tab.id)")
    assert {tab.removeprefix("mg-tab-") for tab in tabs} == set(SHOWS)
    assert faults(page) == {panel: [] for panel in SHOWS}
    press(page, "English")
    assert page.evaluate("document.documentElement.lang") == "en"
    assert faults(page) == {panel: [] for panel in SHOWS}
    page.locator("#mg-tab-lessons").click()
    press(page, "Start: Why positions")  # its strip stands above the working area
    page.locator(".mg-lesson:not(.mg-tour)").wait_for()
    assert overflow(page, "lessons") == []


CONTAINERS = (340, 420, 520, 640, 900, 1400)
WIDE = 1920  # text is largest in a wide window: a narrow panel has least room there


@pytest.mark.long("nine panels in two languages, each at six widths")
def test_a_panel_is_readable_at_every_width_it_can_have(open_page: OpenPage) -> None:
    """A panel's width is its own: beside the map it is narrow in the widest window."""
    page = open_page(QUERY, width=WIDE)
    page.set_default_timeout(TORCH_MS)
    found = {}
    for language in ("zh", "en"):
        if language == "en":
            press(page, "English")
        for panel, shown in SHOWS.items():
            page.locator(f"#mg-tab-{panel}").click()
            page.locator(f"#mg-panel-{panel} {shown}").first.wait_for()
            for width in CONTAINERS:
                give_width(page, panel, width)
                seen = text_faults(page, f"#mg-panel-{panel}")
                if seen != NONE:
                    found[language, panel, width] = seen
    assert found == {}


def test_a_panel_is_laid_out_for_its_own_width(open_page: OpenPage) -> None:
    page = open_page("?v=1&panel=lessons", width=WIDE)
    page.locator("#mg-panel-lessons .mg-lesson-card").first.wait_for()
    columns = (
        "getComputedStyle(document.querySelector('.mg-lessons')).gridTemplateColumns.split(' ')"
    )
    give_width(page, "lessons", 420)
    assert page.evaluate(f"{columns}.length") == 1
    give_width(page, "lessons", 1400)
    assert page.evaluate(f"{columns}.length") == 2


def give_width(page: Any, panel: str, width: int) -> None:
    """Make a panel this wide, and return when what observes its size has drawn.

    What lies around it would cut it off, being as wide as the window lets it be: here it does not.
    """
    page.locator(f"#mg-panel-{panel}").evaluate(
        """async (panel, width) => {
            panel.style.width = `${width}px`;
            panel.closest(".mg-aside-body").style.overflow = "visible";
            for (let frame = 0; frame < 2; frame += 1)
                await new Promise((resolve) => requestAnimationFrame(resolve));
        }""",
        width,
    )
