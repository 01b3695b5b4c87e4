"""One fuzzed call of a function of the page, and what must hold of it."""

from __future__ import annotations

import json
import time
from typing import Any

from languages import LANGUAGES, texts
from ui.calls import Request, Response

HANG_SECONDS = 20.0  # the longest call takes well under one second on an idle machine


def check_call(function: Any, request: Any) -> None:
    """Fail unless `function` answers `request` in time, in JSON, and any error names its cause."""
    began = time.perf_counter()
    answer = function(request)
    took = time.perf_counter() - began
    assert took < HANG_SECONDS, f"{took:.1f} s"
    assert isinstance(answer, dict)
    json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
    if "error" in answer:
        _check_error(answer, request)


def _check_error(answer: Response, request: Request) -> None:
    code, text = answer["error"]["code"], answer["error"]["text"]
    assert code in texts("en", "errors")
    assert code != "internal", "an error that nobody foresaw"
    assert text
    assert len(text) < 2_000, "the text repeats what it was sent at length"
    language = request.get("lang") if isinstance(request, dict) else None
    if language not in LANGUAGES:
        language = LANGUAGES[0]
    start = texts(str(language), "errors")[code].split("{")[0]
    assert text.startswith(start)
