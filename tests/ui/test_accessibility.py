"""axe finds nothing serious in the page, in either language, theme and width."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.ui.conftest import OpenPage

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
    page.wait_for_function(  # the working area comes a moment after the first view
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


@pytest.mark.parametrize(
    ("width", "dark", "queries"),
    [
        (1280, False, ["?tokens=", "?tokens=9"]),
        (1280, False, ["?v=1&panel=gradients"]),
        (1280, True, ["?lang=en", "?lang=en&film=9"]),
        (390, False, ["?lang=en&tokens=0-1-3-4&sampling=sample~1~0~1~0"]),
        (390, True, ["?v=1&panel=gradients&lang=en"]),
    ],
)
def test_axe_finds_nothing_serious(
    open_page: OpenPage, axe: str, width: int, dark: bool, queries: list[str]
) -> None:
    page = open_page(width=width, dark=dark)
    assert findings(page, axe) == []
    for query in queries:
        page.goto(page.url.partition("?")[0] + query)
        page.locator(".mg-bars tbody tr").first.wait_for()
        assert findings(page, axe) == [], query
