"""Routes beside Gradio's own: the modules in `web/`, and a health check.

Modules are served under `/web/<stamp>/` and cached without expiry; a new version has another
stamp, so old and new modules are never mixed. Without a stamp the browser has to revalidate each
time.
"""

from __future__ import annotations

import functools
import gzip
import html
import json
import mimetypes
from collections.abc import Callable
from typing import Any

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from model.errors import InputError
from ui.first_page import PACKING, FirstPage
from ui.gradio_bodies import KnownCalls
from ui.modules import contents, entry, first_modules, is_stamp, stamp
from ui.protection import Limits, Protection
from ui.static_page import served
from ui.texts import in_every_language

_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"


def routes() -> list[BaseRoute]:
    """Routes for the app that Gradio starts."""
    for ending in (".js", ".mjs"):
        # Some systems map it to text/plain, and browsers run no module of that type.
        mimetypes.add_type("text/javascript", ending)
    own = [Route("/healthz", healthz), Route("/web/{path:path}", web_file)]
    return [*own, *served.routes()]


def middleware(
    style: str,
    data: dict[str, Any],
    limits: Limits,
    known: KnownCalls,
    own: list[BaseRoute],
    tidy: Callable[[], None],
) -> list[Middleware]:
    """The middleware around Gradio's app, the outermost first.

    style: the page's style sheet; data: what its script begins with; own: this project's
    routes, let through by their name; tidy: called now and then, to drop what nobody will ask for.
    """
    return [
        Middleware(Protection, limits=limits, known=known, own=own, tidy=tidy),
        Middleware(FirstPage, head=_head(style), body=_body(), data=data),
    ]


async def healthz(request: Request) -> Response:
    """Health check: 200 while the server can respond."""
    return JSONResponse({"status": "ok"})


async def web_file(request: Request) -> Response:
    """A file the page loads, with or without a stamp before its path; from memory, packed once:
    from the disk each costs four times the CPU."""
    path = request.path_params["path"]
    first, _, rest = path.partition("/")
    name = rest if is_stamp(first) else path
    if name not in contents():
        raise InputError("not_found")
    packed = "gzip" in request.headers.get("accept-encoding", "")
    return _kept_file(name, packed, _IMMUTABLE if first == stamp() else _REVALIDATE)


def _kept_file(path: str, packed: bool, kept: str) -> Response:
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    headers = {"Cache-Control": kept, "Vary": "Accept-Encoding"}
    if not packed:
        return Response(contents()[path], headers=headers, media_type=media_type)
    headers["Content-Encoding"] = "gzip"
    return Response(_packed(path), headers=headers, media_type=media_type)


@functools.cache
def _packed(path: str) -> bytes:
    return gzip.compress(contents()[path], PACKING, mtime=0)


def _head(style: str) -> str:
    """Additions to the page's <head>, which Gradio would add only once its scripts run."""
    preloads = "".join(
        f'<link rel="modulepreload" href="./web/{stamp()}/{html.escape(module)}">'
        for module in first_modules()
    )
    # Otherwise the browser requests the icon at the host's root, outside a sub-path.
    icon = '<link rel="icon" href="./favicon.ico">'
    return f"{icon}{preloads}<style>{style}</style>"


def _body() -> str:
    """The page's place in the document, and the script that fills it."""
    failed = json.dumps(in_every_language("shell.not_loaded"), ensure_ascii=False)
    script = (
        f'import("./web/{stamp()}/{entry()}").then(({{ start }}) => start()).catch((error) => {{'
        f'document.querySelector(".mini-gpt").textContent = {failed}; throw error; }});'
    )
    return f'<div class="mini-gpt"></div><script type="module">{script}</script>'
