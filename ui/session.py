"""Which browser session a call belongs to, by the hash that Gradio's client sends.

API clients may leave it out. It is not secret and authenticates nobody: it is used only to
share the queues fairly.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

_current: ContextVar[str] = ContextVar("session", default="")


def current_session() -> str:
    """The session of the current call; "" if the request names none."""
    return _current.get()


def enter_session(body: Any) -> None:
    """Make the session in `body` the current one, for this task and the threads it starts."""
    named = body.get("session_hash") if isinstance(body, dict) else None
    _current.set(named if isinstance(named, str) else "")
