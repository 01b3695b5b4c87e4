"""Results of API calls that were never fetched.

Gradio drops the results of all but the last 2,000 sessions, but never the ids of their calls.
"""

from __future__ import annotations

from typing import Any


def forget_unheard(queue: Any) -> None:
    """Drop from Gradio's queue the ids of calls whose results it has dropped.

    queue: `ui.gradio_inside.event_queue`; call this in the thread of its event loop.
    """
    names, results = queue.pending_event_ids_session, queue.pending_messages_per_session
    if len(names) <= 2 * results.max_size:  # some of them belong to calls in progress
        return
    for session in [name for name in names if name not in results]:
        del names[session]
