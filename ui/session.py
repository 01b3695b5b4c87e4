"""Which open page a call is of, by the name Gradio's client gives it; programs may leave it out.

It is no secret and proves nothing: it says only who takes turns with whom.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

_current: ContextVar[str] = ContextVar("session", default="")


def current_session() -> str:
    """The session of the call under way; "" for all that name none."""
    return _current.get()


def enter_session(body: Any) -> None:
    """From here on the present task (and the threads it calls) works for the sender of `body`."""
    named = body.get("session_hash") if isinstance(body, dict) else None
    _current.set(named if isinstance(named, str) else "")
