"""Results nobody fetches are forgotten, those of calls under way are not."""

from __future__ import annotations

from types import SimpleNamespace

from gradio.utils import LRUCache

from tests import own_loop
from ui.gradio_inside import event_queue
from ui.page import build
from ui.unheard import forget_unheard


def _queue(asked: int) -> SimpleNamespace:
    results: LRUCache[str, str] = LRUCache(10)
    names: dict[str, set[str]] = {}
    for number in range(asked):
        results[f"s{number}"] = "result"
        names[f"s{number}"] = {"event"}
    return SimpleNamespace(pending_event_ids_session=names, pending_messages_per_session=results)


def test_names_without_a_result_are_dropped_once_they_are_many() -> None:
    queue = _queue(21)
    forget_unheard(queue)
    assert set(queue.pending_event_ids_session) == {f"s{number}" for number in range(11, 21)}


def test_a_few_are_left_alone() -> None:
    queue = _queue(20)
    forget_unheard(queue)
    assert len(queue.pending_event_ids_session) == 20


async def _gradios_own() -> None:
    blocks = build()
    blocks.queue()
    forget_unheard(event_queue(blocks))
    assert event_queue(blocks).pending_messages_per_session.max_size == 2000


def test_gradios_queue_has_what_is_looked_at() -> None:
    own_loop.run(_gradios_own())
