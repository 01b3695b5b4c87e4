"""What is used of Gradio beside its promises is there, and its absence is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest
from gradio import http_server

from tests import own_loop
from ui import gradio_inside
from ui.gradio_inside import (
    GradioChangedError,
    endpoints_of,
    event_queue,
    serve_with,
    server_functions_of,
)
from ui.page import build


def test_it_was_read_for_the_version_that_is_here() -> None:
    assert gr.__version__ == gradio_inside.READ_FOR


def test_the_page_s_calls_are_found() -> None:
    own_loop.run(_found_in_the_page())


async def _found_in_the_page() -> None:
    blocks = build()
    assert set(endpoints_of(blocks)) == {"next_token", "generate", "trace"}
    (names,) = server_functions_of(blocks).values()
    assert {"view", "training_start", "worksheet"} <= names
    assert event_queue(blocks) is not None


@pytest.mark.parametrize(
    ("ask", "missing"),
    [
        (lambda: event_queue(SimpleNamespace()), "_queue"),  # type: ignore[arg-type]
        (lambda: event_queue(SimpleNamespace(_queue=1)), "pending_event_ids"),  # type: ignore[arg-type]
        (lambda: endpoints_of(SimpleNamespace()), "fns"),  # type: ignore[arg-type]
        (lambda: server_functions_of(SimpleNamespace(blocks={1: object})), "_is_server_fn"),  # type: ignore[arg-type]
    ],
)
def test_what_is_gone_is_named(ask: Any, missing: str) -> None:
    with pytest.raises(GradioChangedError, match=missing) as caught:
        ask()
    assert gradio_inside.READ_FOR in str(caught.value)


def test_a_server_that_cannot_be_replaced_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(http_server, "start_server")
    with pytest.raises(GradioChangedError, match="start_server"):
        serve_with(gradio_inside.Server)
