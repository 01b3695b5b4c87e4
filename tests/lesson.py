"""The lesson's own figures, four decimals each, from `lesson.json` beside this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LESSON: dict[str, Any] = json.loads(
    (Path(__file__).parent / "lesson.json").read_text(encoding="utf-8")
)

HALF_A_DIGIT = 0.5e-4 + 1e-9  # a figure printed with four decimals may be this far off
