"""Results that a program asked for and never fetched.

Gradio keeps the results of the last 2,000 sessions, but the names of their calls for ever.
"""

from __future__ import annotations

from typing import Any


def forget_unheard(queue: Any) -> None:
    """Drop from Gradio's queue the names of calls whose results it has dropped.

    queue: `ui.gradio_inside.event_queue`; to be called in the thread of its event loop.
    """
    names, results = queue.pending_event_ids_session, queue.pending_messages_per_session
    if len(names) <= 2 * results.max_size:  # some of them belong to calls under way
        return
    for session in [name for name in names if name not in results]:
        del names[session]
