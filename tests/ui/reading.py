"""Reading what the page shows, by role and name where a person would."""

from __future__ import annotations

from typing import Any


def bars(page: Any) -> dict[str, tuple[str, str]]:
    """`{word: (probability, logit)}` as the next-word bars show them."""
    rows = page.locator(".mg-bars tbody tr").all()
    return {
        row.get_by_role("rowheader").inner_text().strip(): (
            row.locator(".mg-number").nth(0).inner_text(),
            row.locator(".mg-number").nth(1).inner_text(),
        )
        for row in rows
    }


def chips(page: Any) -> list[str]:
    """The words of the sentence."""
    return [text.strip() for text in page.locator(".mg-chip").all_inner_texts()]
