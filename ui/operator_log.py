"""The log an operator reads: a line a start, a warning for what matters, nobody's text."""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_TALKATIVE = ("httpx", "httpcore", "asyncio", "mcp")  # a line a request, some with its text

_ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class _WithoutTexts(logging.Formatter):
    """Says where an exception happened and of which kind, not its text: that may quote a person."""

    def formatException(self, ei: _ExceptionInfo) -> str:  # noqa: N802 - logging's name
        kind, _, where = ei
        places = "".join(traceback.format_tb(where)).rstrip("\n")
        return f"{places}\n{kind.__name__ if kind else ''}"


def configure() -> None:
    """Send the log of this process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_WithoutTexts(_FORMAT))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.ERROR)
