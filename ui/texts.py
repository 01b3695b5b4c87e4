"""Every text and the style sheet of the page, put together from the files of its parts."""

from __future__ import annotations

import json

from model.errors import messages
from ui.modules import own_files


def strings() -> dict[str, dict[str, str]]:
    """`{key: {"zh", "en"}}` from `web/strings/*.json`; `error.<code>` from the model's messages.

    Raises:
        ValueError: two files use the same key.
    """
    merged = {f"error.{code}": texts for code, texts in messages().items()}
    for path in own_files("strings/*.json"):
        part = json.loads(path.read_text(encoding="utf-8"))
        twice = merged.keys() & part.keys()
        if twice:
            raise ValueError(f"{path.name} repeats {sorted(twice)}")
        merged |= part
    return merged


def style() -> str:
    """The style sheet: `base.css` first, then the others by name."""
    paths = sorted(own_files("css/*.css"), key=lambda path: (path.stem != "base", path.stem))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)
