"""Text on text, text cut off and parts that make a page scroll sideways, in a page that is open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").replace("export ", "")
NONE: dict[str, list[str]] = {"overlaps": [], "cuts": [], "wide": []}


def faults(page: Any, part: str = "body") -> dict[str, list[str]]:
    """What cannot be read in the first element of `part` as it stands now.

    `overlaps` and `cuts` name the texts, `wide` the elements that stand out of the part (or of
    the window); see text_boxes.js for what is left out and why.
    """
    found: dict[str, list[str]] = page.evaluate(
        f"selector => {{ {SOURCE}\nreturn faults(selector); }}", part
    )
    return found
