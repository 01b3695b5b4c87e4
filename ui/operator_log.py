"""The log an operator reads: a line a start, a warning for what matters, nobody's text.

What is written by packages of others is told by its place alone, since their sentences quote
what they were sent; and nobody can fill the disk by causing one line again and again.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections import Counter
from types import TracebackType

LINES = 10  # of the same place in the code, in WINDOW_SECONDS
WINDOW_SECONDS = 60.0

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_TALKATIVE = ("httpx", "httpcore", "asyncio", "mcp")  # a line a request, some with its text
# uvicorn's own sentences are fixed ones.
_TRUSTED = ("mini_gpt", "app", "ui", "model", "export", "uvicorn")

_MORE = "more_like_it"

_ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)
_Place = tuple[str, str, int]


class _WithoutTexts(logging.Formatter):
    """Says where an exception happened and of which kind, not its text: that may quote a person."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        if record.name.partition(".")[0] not in _TRUSTED:
            record.message = f"{record.module}.{record.funcName}, line {record.lineno}"
        more: int = getattr(record, _MORE, 0)
        return super().formatMessage(record) + (f" ({more} more like it before)" if more else "")

    def formatException(self, ei: _ExceptionInfo) -> str:  # noqa: N802 - logging's name
        kind, _, where = ei
        places = "".join(traceback.format_tb(where)).rstrip("\n")
        return f"{places}\n{kind.__name__ if kind else ''}"


class _Seldom(logging.Filter):
    """LINES of the same place in WINDOW_SECONDS; the next one tells how many were left out."""

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
    handler.addFilter(_Seldom())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.ERROR)


def take_over(name: str) -> None:
    """Let the logger `name` write here, whatever it was set up to do."""
    logger = logging.getLogger(name)
    logger.handlers = []
    logger.propagate = True
