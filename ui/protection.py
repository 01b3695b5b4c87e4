"""Middleware between the network and Gradio: allowed paths, request limits, response headers.

A refusal is JSON. For the page's own calls it has status 200, so that the page shows its text;
otherwise it has the matching HTTP status.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from model.errors import InputError
from ui.bodies import Bodies
from ui.gradio_bodies import UPLOADS, KnownCalls, check_body, check_mcp
from ui.known_paths import API, is_call, is_known, is_mcp, is_page_call, path_of, rooted
from ui.session import enter_session
from ui.uploads import Uploads

TIDY_EVERY = 256  # calls
SMALL_BYTES = 64 * 1024  # the largest request without a file
HEAD_BYTES = 16 * 1024  # path, query and headers together; Gradio fails on much longer ones

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

_LOG = logging.getLogger(__name__)
_HOST = re.compile(r"([\w.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:\d{1,5})?", re.ASCII)
_FORWARDED_HOSTS = ("host", "x-forwarded-host")
_RUN = re.compile(rf"{API}/(run|api)/\w+/?", re.ASCII)
_STATUS = {
    "not_found": 404,
    "host": 400,
    "body_type": 415,
    "body_size": 413,
    "body_late": 408,
    "head_size": 431,
    "busy": 503,
}


@dataclass(frozen=True)
class Limits:
    """body_bytes: the largest request (with a file); waiting: the most calls in progress or in
    the queue."""

    body_bytes: int
    waiting: int


class Protection:
    """ASGI middleware around Gradio's app."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        known: KnownCalls,
        own: Sequence[BaseRoute],
        tidy: Callable[[], None],
    ) -> None:
        self._app = app
        self._limits = limits
        self._known = known
        self._own = own
        self._tidy = tidy
        self._bodies = Bodies()
        self._uploads = Uploads()
        self._calls = 0
        self._served = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            scope = rooted(scope)
            answer = _Answer(send, path_of(scope))
            try:
                await self._http(scope, receive, answer)
            except InputError as error:
                await _refuse(error, scope, receive, answer)
            except Exception as error:
                await _failed(error, scope, receive, answer)
        elif scope["type"] == "websocket":  # the page uses none; closing it gives a 403
            await send({"type": "websocket.close", "code": 1000})

    async def _http(self, scope: Scope, receive: Receive, send: _Answer) -> None:
        _check_head(scope)
        if not is_known(scope, self._own):
            raise InputError("not_found")
        _check_hosts(scope)
        path = path_of(scope)
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        largest = self._limits.body_bytes
        small = min(SMALL_BYTES, largest)
        limit = largest if is_page_call(path) else small
        body = await self._bodies.receive(scope, receive, limit)
        is_large = len(body) > small
        async with self._uploads.turn() if is_large else nullcontext():
            if path.startswith(API):
                await self._check(path, body, is_large)
            send.all_read = True
            replayed = _Replayed(body, receive)
            if is_call(path):
                await self._call(scope, replayed, send)
            else:
                await self._app(scope, replayed, send)

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The call slot is taken only now, with the complete body: slow senders hold none."""
        if self._calls >= self._limits.waiting:
            raise InputError("busy")
        self._calls += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._calls -= 1
            self._served += 1
            if self._served % TIDY_EVERY == 0:
                self._tidy()

    async def _check(self, path: str, body: bytes, is_large: bool) -> None:
        content = await self._bodies.read(body)
        if is_mcp(path):
            check_mcp(content)
            return
        check_body(path, content, self._known)
        if is_large and content.get("fn_name") not in UPLOADS:
            raise InputError("body_size", limit=SMALL_BYTES // 1024)
        enter_session(content)


class _Answer:
    """`send` that adds the page's headers and records whether the response has begun.

    Gradio answers a call that raised gr.Error with a 500; with a reason in it, it becomes a 422.
    """

    def __init__(self, send: Send, path: str) -> None:
        self._send = send
        self._is_run = _RUN.fullmatch(path) is not None
        self._held: Message | None = None
        self.begun = self._ended = False
        self.all_read = False  # whether the request body has been read completely

    def keep_status(self) -> None:
        """The response that follows is not Gradio's: send its status unchanged."""
        self._is_run = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
            self.begun = True
            if self._is_run and message["status"] == 500:
                self._held = message
                return
        elif self._held:
            if _states_reason(message.get("body", b"")):
                self._held["status"] = 422
            await self._send(self._held)
            self._held = None
        if message["type"] == "http.response.body":
            self._ended = not message.get("more_body", False)
        await self._send(message)

    async def end(self) -> None:
        """Complete the response unless it is complete."""
        if not self._ended:
            await self({"type": "http.response.body", "body": b"", "more_body": False})


class _Replayed:
    """`receive` for a body that has been read already."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()  # reports that the connection was closed
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


def _check_head(scope: Scope) -> None:
    headers = sum(len(name) + len(value) for name, value in scope["headers"])
    address = len(scope["raw_path"]) + len(scope.get("query_string", b""))
    if address + headers > HEAD_BYTES:
        raise InputError("head_size", limit=HEAD_BYTES // 1024)


def _check_hosts(scope: Scope) -> None:
    """Gradio builds URLs from these headers, and fails on an invalid host."""
    scope["headers"] = [
        (name, value) for name, value in scope["headers"] if name != b"x-gradio-server"
    ]
    headers = Headers(scope=scope)
    for name in _FORWARDED_HOSTS:
        for host in headers.get(name, "localhost").split(","):
            if not _HOST.fullmatch(host.strip()):
                raise InputError("host", name=name)


async def _refuse(error: InputError, scope: Scope, receive: Receive, send: _Answer) -> None:
    text = error.in_every_language()
    status = _STATUS.get(error.code, 400)
    content: dict[str, Any] = {"error": text}
    if scope["method"] == "POST" and is_page_call(path_of(scope)):
        status, content = 200, {"error": {"code": error.code, "text": text}}
    headers = {"Cache-Control": "no-store"}
    if not send.all_read:
        headers["Connection"] = "close"
    if error.code == "busy":
        headers["Retry-After"] = "1"
    await JSONResponse(content, status, headers)(scope, receive, send)


async def _failed(error: Exception, scope: Scope, receive: Receive, send: _Answer) -> None:
    """Log the failure without the request's content; the response discloses no internals."""
    route = scope["route"].path if "route" in scope else "…"
    where = f"{scope['method']} {route}"
    if send.begun:
        _LOG.info("%s ended early: %s", where, type(error).__name__)
        await send.end()
        return
    _LOG.error("%s failed: %s", where, type(error).__name__, exc_info=error)
    send.keep_status()
    content = {"error": InputError("internal").in_every_language()}
    await JSONResponse(content, 500)(scope, receive, send)


def _states_reason(body: bytes) -> bool:
    try:
        return isinstance(json.loads(body).get("error"), str)
    except (ValueError, AttributeError):
        return False
