"""Every use of Gradio's private API, for the one version that `requirements.txt` pins.

With another version the page names what is missing when it starts, and a test compares
`READ_FOR` with the pinned version.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gradio
from gradio import http_server
from starlette.requests import Request

if TYPE_CHECKING:
    import gradio as gr

READ_FOR = "6.31.0"  # the version whose source this file was written against

Endpoints = dict[str, tuple[int, tuple[str, ...], int]]
"""Name -> Gradio's index of the function, its parameters, how many have no default."""


class GradioChangedError(RuntimeError):
    """A private part of Gradio that the page uses is missing."""

    def __init__(self, missing: str) -> None:
        super().__init__(
            f"Gradio {gradio.__version__} has no {missing}, which the page needs: "
            f"install {READ_FOR}, or read ui/gradio_inside.py anew"
        )


def _of(owner: Any, name: str) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError as error:
        raise GradioChangedError(
            f"`{name}` of {getattr(owner, '__name__', type(owner))}"
        ) from error


Server: Any = _of(http_server, "Server")
"""Gradio's uvicorn server, which it starts in a thread; a base class."""


def serve_with(server: type[Any]) -> None:
    """Make `launch` start this server class; Gradio has no option for it."""
    _of(http_server, "start_server")
    http_server.Server = server  # type: ignore[misc]


def event_queue(blocks: gr.Blocks) -> Any:
    """The queue that holds API calls and their results; see `ui.unheard`."""
    queue = _of(blocks, "_queue")
    for name in ("pending_event_ids_session", "pending_messages_per_session"):
        _of(queue, name)
    return queue


def endpoints_of(blocks: gr.Blocks) -> Endpoints:
    """The named endpoints of `blocks`."""
    found: Endpoints = {}
    for number, function in _of(blocks, "fns").items():
        called = _of(function, "fn")
        if called is None:  # it runs in the browser only
            continue
        parameters = inspect.signature(called).parameters
        needed = [name for name, one in parameters.items() if one.default is one.empty]
        found[str(_of(function, "api_name"))] = (number, tuple(parameters), len(needed))
    return found


def server_functions_of(blocks: gr.Blocks) -> dict[int, frozenset[str]]:
    """Component id -> names of the functions that the browser may call on it."""
    found = {
        number: frozenset(name for name in vars(block) if is_server_function(getattr(block, name)))
        for number, block in _of(blocks, "blocks").items()
    }
    found = {number: names for number, names in found.items() if names}
    if not found:
        raise GradioChangedError("mark on the functions of gr.HTML (`_is_server_fn`)")
    return found


def is_server_function(value: Any) -> bool:
    """Whether Gradio lets the browser call it."""
    return bool(getattr(value, "_is_server_fn", False))


def root_address(request: Request, root_path: str | None) -> str:
    """The app's address as Gradio derives it, also behind a proxy."""
    from gradio import route_utils

    address: Callable[..., Any] = _of(route_utils, "get_root_url")
    return str(address(request, "/", root_path))


_SCRIPT = re.compile(r'<script type="module" crossorigin src="([^"]+)"></script>\s*')
_STYLES = re.compile(r'<link rel="stylesheet" crossorigin href="([^"]+)">\s*')


def without_own_files(page: str) -> tuple[str, dict[str, list[str]]]:
    """The page without what loads Gradio's frontend, and the addresses of that, to be loaded
    later."""
    scripts, styles = _SCRIPT.findall(page), _STYLES.findall(page)
    if not scripts or not styles:
        raise GradioChangedError("script and style sheet in its page (index.html)")
    return _STYLES.sub("", _SCRIPT.sub("", page)), {"scripts": scripts, "styles": styles}
