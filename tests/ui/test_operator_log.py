"""The log tells an operator what happened, and nobody what a person wrote."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterable, Iterator

import pytest

from ui.operator_log import LINES, WINDOW_SECONDS, configure

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


def _written(records: Iterable[logging.LogRecord]) -> list[str]:
    """What the log's own handler makes of `records`."""
    stream = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers[:] = []
    try:
        configure()
        (handler,) = root.handlers
        assert isinstance(handler, logging.StreamHandler)
        handler.setStream(stream)
        for record in records:
            handler.handle(record)
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    return stream.getvalue().splitlines()


def _record(name: str, text: str, line: int = 1) -> logging.LogRecord:
    return logging.LogRecord(name, logging.WARNING, "session.py", line, text, (), None, "receive")


def test_a_package_of_others_is_told_by_its_place_alone() -> None:
    """The protocol for tools writes what did not validate into the root's log."""
    lines = _written([_record("root", f"Failed to validate request: {SECRET}")])
    assert len(lines) == 1
    assert SECRET not in lines[0]
    assert lines[0].endswith("WARNING root: session.receive, line 1")


def test_our_own_sentences_are_told() -> None:
    lines = _written([_record("ui.engines", "a file")])
    assert lines[0].endswith("WARNING ui.engines: a file")


def test_one_line_again_and_again_does_not_fill_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.operator_log.time.monotonic", lambda: 0.0)
    again = [_record("asyncio", "no more files") for _ in range(10_000)]
    other = _record("asyncio", "another place", line=2)
    lines = _written([*again, other])
    assert len(lines) == LINES + 1
    assert "more like it" not in "".join(lines)


def test_what_was_left_out_is_counted_when_it_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("ui.operator_log.time.monotonic", lambda: now[0])

    def records() -> Iterator[logging.LogRecord]:
        for _ in range(100):
            yield _record("asyncio", "no more files")
        now[0] = WINDOW_SECONDS + 1
        yield _record("asyncio", "no more files")

    lines = _written(records())
    assert len(lines) == LINES + 1
    assert f"({100 - LINES} more like it before)" in lines[-1]
