"""The log tells an operator what happened, and nobody what a person wrote."""

from __future__ import annotations

import logging

from ui.operator_log import configure

SECRET = "what a person wrote"


def _record_of_a_failure() -> logging.LogRecord:
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
        return logging.LogRecord("ui.calls", logging.ERROR, __file__, 1, "view failed", (), info)


def test_an_exception_is_told_by_place_and_kind_without_its_text() -> None:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers[:] = []
    try:
        configure()
        text = root.handlers[0].format(_record_of_a_failure())
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    assert "view failed" in text
    assert "ValueError" in text
    assert "_record_of_a_failure" in text
    assert SECRET not in text


def test_a_line_a_request_is_left_out() -> None:
    assert not logging.getLogger("httpx").isEnabledFor(logging.INFO)
