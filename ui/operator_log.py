"""The operator's log: one line per start, warnings, and no text from a request.

A record of a third-party package is replaced by its place in the code, since its message may
quote a request. Repeated records are rate-limited, so that no client can fill the disk.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections import Counter
from types import TracebackType

LINES = 10  # from the same place in the code, per WINDOW_SECONDS
WINDOW_SECONDS = 60.0

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_VERBOSE = ("httpx", "httpcore", "asyncio", "mcp")  # a line per request, some with its text
# Their messages quote no request; uvicorn's are fixed sentences.
_TRUSTED = ("mini_gpt", "app", "ui", "model", "export", "uvicorn")

_MORE = "more_like_it"

_ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)
_Place = tuple[str, str, int]


class _WithoutTexts(logging.Formatter):
    """Logs an exception's traceback and class, not its text, which may quote a request."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        if record.name.partition(".")[0] not in _TRUSTED:
            record.message = f"{record.module}.{record.funcName}, line {record.lineno}"
        more: int = getattr(record, _MORE, 0)
        return super().formatMessage(record) + (f" ({more} more like it before)" if more else "")

    def formatException(self, ei: _ExceptionInfo) -> str:  # noqa: N802 - logging's name
        kind, _, where = ei
        places = "".join(traceback.format_tb(where)).rstrip("\n")
        return f"{places}\n{kind.__name__ if kind else ''}"


class _RateLimit(logging.Filter):
    """At most LINES from one place per WINDOW_SECONDS; the next one says how many were dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._until = 0.0
        self._seen: Counter[_Place] = Counter()
        self._left_out: Counter[_Place] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        place = (record.name, record.pathname, record.lineno)
        with self._lock:
            if time.monotonic() >= self._until:
                self._until = time.monotonic() + WINDOW_SECONDS
                self._seen.clear()
            self._seen[place] += 1
            if self._seen[place] > LINES:
                self._left_out[place] += 1
                return False
            setattr(record, _MORE, self._left_out.pop(place, 0))
        return True


def configure() -> None:
    """Send the log of this process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_WithoutTexts(_FORMAT))
    handler.addFilter(_RateLimit())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for name in _VERBOSE:
        logging.getLogger(name).setLevel(logging.ERROR)


def take_over(name: str) -> None:
    """Remove the handlers of the logger `name`, so that it writes to this log."""
    logger = logging.getLogger(name)
    logger.handlers = []
    logger.propagate = True
