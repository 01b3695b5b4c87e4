"""What is served beside Gradio's own routes: the modules in `web/`, and a sign of life.

Modules are served under `/web/<stamp>/`, for good; a new version has another stamp, so an old
module is never mixed with a new one. Without a stamp a browser has to ask again each time.
"""

from __future__ import annotations

import functools
import gzip
import html
import mimetypes
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.content_policy import content_policy
from ui.gradio_bodies import KnownCalls
from ui.known_paths import path_of
from ui.modules import WEB, contents, is_stamp, needed_modules, stamp
from ui.protection import Limits, Protection
from ui.static_page import served

# Some systems' tables say text/plain, and then no browser runs a module.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("text/javascript", ".mjs")

_FOR_GOOD = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_PACKING = 5  # of 9: within 3 % of the smallest, in under half the time


def routes() -> list[BaseRoute]:
    """Routes for the app that Gradio starts."""
    own = [Route("/healthz", healthz), Mount("/web", _StampedFiles(directory=WEB))]
    return [*own, *served.routes()]


def middleware(
    style: str,
    limits: Limits,
    known: KnownCalls,
    own: list[BaseRoute],
    tidy: Callable[[], None],
) -> list[Middleware]:
    """What stands between Gradio's app and the network, the outermost first.

    style: the page's style sheet; own: this project's routes, let through by their name;
    tidy: called now and then, to drop what nobody will ask for.
    """
    return [
        Middleware(Protection, limits=limits, known=known, own=own, tidy=tidy),
        Middleware(_PageHead, insert=_head(style).encode()),
    ]


async def healthz(request: Request) -> Response:
    """Answers while the server can answer."""
    return JSONResponse({"status": "ok"})


class _StampedFiles(StaticFiles):
    """Under the present stamp from memory, packed once: a first visit asks for 150 modules, and
    from the disk each costs four times the CPU."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        first, _, rest = path.partition("/")
        if first == stamp() and rest in contents():
            return _kept_file(rest, "gzip" in Headers(scope=scope).get("accept-encoding", ""))
        response = await super().get_response(rest if is_stamp(first) else path, scope)
        response.headers["Cache-Control"] = _FOR_GOOD if first == stamp() else _ASK_AGAIN
        return response


def _kept_file(path: str, packed: bool) -> Response:
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    headers = {"Cache-Control": _FOR_GOOD, "Vary": "Accept-Encoding"}
    if not packed:
        return Response(contents()[path], headers=headers, media_type=media_type)
    headers["Content-Encoding"] = "gzip"
    return Response(_packed(path), headers=headers, media_type=media_type)


@functools.cache
def _packed(path: str) -> bytes:
    return gzip.compress(contents()[path], _PACKING, mtime=0)


def _head(style: str) -> str:
    """What goes into the page's <head>: Gradio's own way adds it only once its scripts run."""
    preloads = "".join(
        f'<link rel="modulepreload" href="./web/{stamp()}/{html.escape(module)}">'
        for module in needed_modules()
    )
    # Without its name the browser asks for an icon at the host's root, outside a sub-path.
    icon = '<link rel="icon" href="./favicon.ico">'
    return f"{icon}{preloads}<style>{style}</style>"


class _PageHead:
    """Adds to the <head> of the page at "/", says that the page begins in Chinese, and packs it.

    Gradio packs files by their name, which this page has none of: 157 KB instead of 39.
    """

    def __init__(self, app: ASGIApp, insert: bytes) -> None:
        self._app = app
        self._insert = insert

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or path_of(scope) != "/":
            await self._app(scope, receive, send)
            return
        packed = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        started: list[Message] = []
        body: list[bytes] = []

        async def collect(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(message)
                return
            body.append(message.get("body", b""))
            if not message.get("more_body", False):
                await self._send(started[0], b"".join(body), send, packed)

        await self._app(scope, receive, collect)

    async def _send(self, start: Message, body: bytes, send: Send, packed: bool) -> None:
        headers = MutableHeaders(raw=list(start["headers"]))
        if headers.get("content-type", "").startswith("text/html"):
            body = body.replace(b'lang="en"', b'lang="zh-CN"', 1)
            body = body.replace(b"</head>", self._insert + b"</head>", 1)
            headers["content-security-policy"] = content_policy(body)
            headers.add_vary_header("Accept-Encoding")
            if packed:
                headers["content-encoding"] = "gzip"
                body = gzip.compress(body, _PACKING)
        headers["content-length"] = str(len(body))
        await send({**start, "headers": headers.raw})
        await send({"type": "http.response.body", "body": body})
