"""Opening a panel, in either language and at either width, as the panel tests do."""

from __future__ import annotations

from typing import Any

from tests.ui.conftest import OpenPage

WIDTHS = (1280, 390)
LANGUAGES = ("zh", "en")

SHOWS = {
    "lessons": ".mg-lesson-card",
    "compare": ".mg-values tbody tr",
    "weights": ".mg-weight-input",
    "sampling": "[role=treeitem]",
    "training": ".mg-beside-table",
    "gradients": ".mg-gradient-table",
    "prompts": ".mg-window",
    "runtimes": ".mg-runtimes-table tbody tr",
    "cost": ".mg-cost-table tfoot td",
}
"""What stands in a panel once its answers have come."""


def open_panel(open_page: OpenPage, panel: str, query: str = "", **how: Any) -> tuple[Any, Any]:
    """(page, the open panel); `query` is more of the address, without `?`."""
    more = f"&{query}" if query else ""
    page = open_page(f"?v=1&panel={panel}{more}", **how)
    body = page.locator(f"#mg-panel-{panel}")
    body.wait_for()
    return page, body


def overflow(page: Any, panel: str) -> list[str]:
    """What in the panel stands out of the page to the right, unless it can be scrolled; and
    whether anything else makes the page scroll sideways."""
    found: list[str] = page.locator(f"#mg-panel-{panel}").evaluate(
        """panel => [...panel.querySelectorAll("*")]
            .filter((element) => !element.closest(".mg-scroll *, .mg-hidden, svg *"))
            .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
            .map((element) => `${element.tagName} ${element.className}`)"""
    )
    widened = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*found, *(["the page"] if widened else [])]
