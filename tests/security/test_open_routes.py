"""Which of Gradio's routes are open. A new Gradio that brings more is noticed here."""

from __future__ import annotations

from typing import Any

import gradio as gr
import pytest
from gradio.routes import App

from tests import own_loop
from ui.gradio_inside import is_server_function
from ui.known_paths import is_known
from ui.page import build, server_functions

_FILLED = {
    "{path:path}": "x.js",
    "{session_hash}": "abc",
    "{api_name}": "next_token",
    "{event_id}": "abc",
    "{url_path:path}": "x",
    "{path_or_url:path}": "x",
}

OPEN = {
    "GET": {
        "/",
        "/config",
        "/theme.css",
        "/favicon.ico",
        "/robots.txt",
        "/assets/{path:path}",
        "/static/{path:path}",
        "/gradio_api/info",
        "/gradio_api/openapi.json",
        "/gradio_api/startup-events",
        "/gradio_api/app_id",
        "/gradio_api/theme.css",
        "/gradio_api/queue/status",
        "/gradio_api/queue/data",
        "/gradio_api/heartbeat/{session_hash}",
        "/gradio_api/call/{api_name}/{event_id}",
        "/gradio_api/call/v2/{api_name}/{event_id}",
    },
    "POST": {
        "/gradio_api/component_server",
        "/gradio_api/queue/join",
        "/gradio_api/run/{api_name}",
        "/gradio_api/api/{api_name}",
        "/gradio_api/call/{api_name}",
        "/gradio_api/call/v2/{api_name}",
        "/gradio_api/cancel",
        "/gradio_api/reset",
    },
}


async def _app() -> tuple[gr.Blocks, list[tuple[str, str]]]:
    """The page, and (method, path) of every route that Gradio would answer."""
    blocks = build()
    found: list[tuple[str, str]] = []
    _collect(App.create_app(blocks).routes, "", found)
    return blocks, found


def _collect(routes: Any, prefix: str, found: list[tuple[str, str]]) -> None:
    for route in routes:
        included = getattr(route, "original_router", route)  # FastAPI keeps a router whole
        inner = getattr(included, "routes", None)
        if inner:
            _collect(inner, prefix + getattr(route, "path", ""), found)
            continue
        for method in getattr(route, "methods", None) or ("GET",):
            if method != "HEAD":
                found.append((method, prefix + route.path))


@pytest.fixture(scope="module")
def app() -> tuple[gr.Blocks, list[tuple[str, str]]]:
    return own_loop.run(_app())


def _is_open(method: str, path: str) -> bool:
    for name, value in _FILLED.items():
        path = path.replace(name, value)
    return is_known({"type": "http", "method": method, "path": path, "root_path": ""}, [])


def test_exactly_the_routes_the_page_and_its_endpoints_need_are_open(
    app: tuple[gr.Blocks, list[tuple[str, str]]],
) -> None:
    _, routes = app
    assert len(routes) > 60  # Gradio's own; few of them are open
    for method, expected in OPEN.items():
        opened = {path.rstrip("/") or "/" for m, path in routes if m == method}
        assert {path for path in opened if _is_open(method, path)} == expected
    others = [(method, path) for method, path in routes if method not in OPEN]
    assert not any(_is_open(method, path) for method, path in others)


def test_there_are_three_events_and_all_are_public(
    app: tuple[gr.Blocks, list[tuple[str, str]]],
) -> None:
    """A private event could be called by its number all the same."""
    blocks, _ = app
    events = [(event.api_name, event.api_visibility) for event in blocks.fns.values()]
    assert events == [(name, "public") for name in ("next_token", "generate", "trace")]


def test_the_functions_a_browser_can_call_are_the_ones_listed(
    app: tuple[gr.Blocks, list[tuple[str, str]]],
) -> None:
    blocks, _ = app
    callable_names = {
        name
        for block in blocks.blocks.values()
        for name in dir(block)
        if is_server_function(getattr(block, name, None))
    }
    assert callable_names == {function.__name__ for function in server_functions()}
