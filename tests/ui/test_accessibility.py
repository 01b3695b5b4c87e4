"""axe finds nothing serious in the page, in either language, theme and width."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.reading import open_more

AXE = Path(__file__).parent.parent.parent / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("axe-core is missing: npm ci")
        pytest.skip("axe-core is missing (npm ci)")
    return AXE.read_text(encoding="utf-8")


def findings(page: Any, axe: str) -> list[str]:
    """What axe calls serious or critical: `rule: where it was met`."""
    page.wait_for_function(  # a panel and a working come a moment after the first view
        """() => [...document.querySelectorAll(".mini-gpt button")]
            .every((button) => button.textContent || button.ariaLabel || !button.offsetParent)"""
    )
    page.evaluate(axe)
    found: list[str] = page.evaluate(
        """async () => {
            const { violations } = await axe.run(document, {
                runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
            });
            return violations
                .filter(({ impact }) => ["serious", "critical"].includes(impact))
                .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
        }"""
    )
    return found


LONG = partial(pytest.param, marks=pytest.mark.long("more states under axe"))


@pytest.mark.parametrize(
    ("width", "dark", "queries"),
    [
        (1280, False, ["?tokens=", "?tokens=9"]),
        LONG(1280, False, ["?v=1&panel=gradients", "?v=1&stage=logits"]),
        (1280, True, ["?lang=en&stage=blocks.0.masked_scores&panel=cost", "?lang=en&film=9"]),
        LONG(390, False, ["?lang=en&tokens=0-1-3-4&sampling=sample~1~0~1~0"]),
        (390, True, ["?v=1&panel=gradients&lang=en", "?v=1&stage=logits"]),
    ],
)
def test_axe_finds_nothing_serious(
    open_page: OpenPage, axe: str, width: int, dark: bool, queries: list[str]
) -> None:
    page = open_page(width=width, dark=dark)
    assert findings(page, axe) == []
    open_more(page)
    assert findings(page, axe) == []
    for query in queries:
        page.goto(page.url.partition("?")[0] + query)
        _wait_for_what_is_open(page, query)
        assert findings(page, axe) == [], query


def _wait_for_what_is_open(page: Any, query: str) -> None:
    page.locator(".mg-bars tbody tr").first.wait_for(state="attached")
    if "panel=" in query:
        page.locator(".mg-panel:not([hidden]) :is(table, button)").first.wait_for(state="attached")
    if "stage=" in query:
        page.locator(".mg-card .mg-line-text").first.wait_for(state="attached")


@pytest.mark.long("nine panels in two languages, as narrow as beside the map and as on a phone")
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious_in_a_panel(open_page: OpenPage, axe: str, width: int) -> None:
    page = open_page(width=width)
    tabs = page.locator(".mg-tab")
    found: dict[str, list[str]] = {}
    for _ in ("zh", "en"):
        for tab in tabs.all():
            tab.click()
            page.locator(f"#{tab.get_attribute('aria-controls')} *").first.wait_for()
            page.wait_for_load_state("networkidle")
            found[tab.inner_text()] = findings(page, axe)
        page.locator(".mg-tools button").last.click()
    assert {panel: faults for panel, faults in found.items() if faults} == {}
    assert len(found) == 2 * tabs.count()
