"""What stands between the network and Gradio: only known addresses, bounded requests, headers.

A refusal is JSON. To the page's own calls it is an answer like any other, so that the page
shows its text; elsewhere it has the HTTP status a program looks at.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from model.errors import LANGUAGES, InputError
from ui.gradio_bodies import KnownCalls, check_body, read_json
from ui.known_paths import API, is_call, is_known, is_mcp, path_of, rooted
from ui.session import enter_session

TIDY_EVERY = 256  # calls
BODY_SECONDS = 30.0  # a request that takes longer to arrive is given up

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

_LOG = logging.getLogger(__name__)
_HOST = re.compile(r"([\w.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:\d{1,5})?", re.ASCII)
_FORWARDED_HOSTS = ("host", "x-forwarded-host")
_PAGE_CALL = f"{API}/component_server"
_RUN = re.compile(rf"{API}/(run|api)/\w+/?", re.ASCII)
_STATUS = {
    "not_found": 404,
    "host": 400,
    "body_type": 415,
    "body_size": 413,
    "body_late": 408,
    "busy": 503,
}


@dataclass(frozen=True)
class Limits:
    """body_bytes: largest request; waiting: calls under way or in line at the same time."""

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

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_known(scope, self._own):
            raise InputError("not_found")
        _check_hosts(scope)
        path = path_of(scope)
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
        elif is_call(path):
            await self._call(scope, receive, send)
        else:
            await self._with_body(scope, receive, send)

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._calls >= self._limits.waiting:
            raise InputError("busy")
        self._calls += 1
        try:
            await self._with_body(scope, receive, send)
        finally:
            self._calls -= 1
            self._served += 1
            if self._served % TIDY_EVERY == 0:
                self._tidy()

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _read_body(scope, receive, self._limits.body_bytes)
        path = path_of(scope)
        if path.startswith(API) and not is_mcp(path):
            told = read_json(body)
            check_body(path, told, self._known)
            enter_session(told)
        await self._app(scope, _Again(body, receive), send)


class _Answer:
    """`send` with this page's headers, that knows whether the answer has begun.

    Gradio reports a refused call as a server error; a call refused with a reason is a 422.
    """

    def __init__(self, send: Send, path: str) -> None:
        self._send = send
        self._is_run = _RUN.fullmatch(path) is not None
        self._held: Message | None = None
        self.begun = self._ended = False

    def keep_status(self) -> None:
        """What is sent from now on is not Gradio's."""
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
        """Say that there is no more, unless that was said."""
        if not self._ended:
            await self({"type": "http.response.body", "body": b"", "more_body": False})


class _Again:
    """`receive` for a body that has been read already."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()  # tells of the end of the connection
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


async def _read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    headers = Headers(scope=scope)
    # A page of another origin can send text and forms without asking, but not JSON.
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise InputError("body_type")
    stated = headers.get("content-length", "0")
    if not stated.isdigit() or len(stated) > 12 or int(stated) > limit:
        raise InputError("body_size", limit=limit // 1024)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _collect(receive, limit)
    except TimeoutError as error:
        raise InputError("body_late", seconds=int(BODY_SECONDS)) from error


async def _collect(receive: Receive, limit: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise InputError("body_late", seconds=0)
        body += message.get("body", b"")
        if len(body) > limit:
            raise InputError("body_size", limit=limit // 1024)
        if not message.get("more_body", False):
            return bytes(body)


def _check_hosts(scope: Scope) -> None:
    """Gradio builds addresses from these headers, and fails on what is not one."""
    scope["headers"] = [
        (name, value) for name, value in scope["headers"] if name != b"x-gradio-server"
    ]
    headers = Headers(scope=scope)
    for name in _FORWARDED_HOSTS:
        for host in headers.get(name, "localhost").split(","):
            if not _HOST.fullmatch(host.strip()):
                raise InputError("host", name=name)


async def _refuse(error: InputError, scope: Scope, receive: Receive, send: _Answer) -> None:
    text = " / ".join(error.text(language) for language in LANGUAGES)
    status = _STATUS.get(error.code, 400)
    content: dict[str, Any] = {"error": text}
    if scope["method"] == "POST" and path_of(scope).rstrip("/") == _PAGE_CALL:
        status, content = 200, {"error": {"code": error.code, "text": text}}
    headers = {"Cache-Control": "no-store", "Connection": "close"}
    if error.code == "busy":
        headers = {"Cache-Control": "no-store", "Retry-After": "1"}
    await JSONResponse(content, status, headers)(scope, receive, send)


async def _failed(error: Exception, scope: Scope, receive: Receive, send: _Answer) -> None:
    """One line for the operator, without what the person sent; nothing inward for the caller."""
    route = scope["route"].path if "route" in scope else "…"
    where = f"{scope['method']} {route}"
    if send.begun:
        _LOG.info("%s ended early: %s", where, type(error).__name__)
        await send.end()
        return
    _LOG.error("%s failed: %s", where, type(error).__name__, exc_info=error)
    send.keep_status()
    content = {"error": " / ".join(InputError("internal").text(lang) for lang in LANGUAGES)}
    await JSONResponse(content, 500)(scope, receive, send)


def _states_reason(body: bytes) -> bool:
    try:
        return isinstance(json.loads(body).get("error"), str)
    except (ValueError, AttributeError):
        return False
