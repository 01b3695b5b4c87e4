"""The page at "/": rendered by Gradio once, changed, then served from memory.

The page's own element, data and script come before Gradio's. Gradio's scripts and styles are taken
out: they are large, show nothing here but the API docs, and web/api_docs.js loads them for those.

Gradio renders it for every visit, though it depends only on the address it was requested at:
12 to 19 ms of CPU each. It also compresses by file extension, of which "/" has none, and so
sends 157 KB instead of 39.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Callable
from typing import Any

from cachetools import LRUCache
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.content_policy import content_policy
from ui.gradio_inside import root_address, without_own_files
from ui.known_paths import path_of
from ui.texts import paragraphs

PACKING = 5  # gzip level, of 9: within 3 % of the smallest size, in under half the time

_ADDRESSES = 16  # addresses the page is cached for: most servers have one or two
_BODY = re.compile(r"<body[^>]*>")
_PLACEHOLDER_HOST = "page.invalid"  # replaced by the host of the request

_Made = tuple[bytes, bytes, str]  # the page, the page compressed, its policy


class FirstPage:
    """Middleware: serves "/" with the page's own parts in it and `lang="zh-CN"`.

    head, body: HTML for the end of <head> and the beginning of <body>; data: JSON for the script,
    which also gets the addresses of Gradio's scripts and styles.
    """

    def __init__(
        self,
        app: ASGIApp,
        head: str,
        body: str,
        data: dict[str, Any],
        root_of: Callable[[Scope], str] | None = None,
    ) -> None:
        self._app = app
        self._head, self._body, self._data = head, body, data
        self._root_of = root_of or _root_of
        self._making = asyncio.Lock()
        # As rendered for the placeholder host, and the root address to be replaced in it.
        self._page: tuple[bytes, bytes] | None = None
        self._made: LRUCache[str, _Made] = LRUCache(_ADDRESSES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or path_of(scope) != "/" or scope["method"] == "OPTIONS":
            await self._app(scope, receive, send)
            return
        async with self._making:
            if self._page is None:
                self._page = await self._make(scope, receive)
        page, packed, policy = self._for(self._root_of(scope))
        headers = MutableHeaders(
            {
                "content-type": "text/html; charset=utf-8",
                "content-security-policy": policy,
                "vary": "Accept-Encoding",
            }
        )
        if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            page = packed
        headers["content-length"] = str(len(page))
        await send({"type": "http.response.start", "status": 200, "headers": headers.raw})
        await send({"type": "http.response.body", "body": page})

    def _for(self, root: str) -> _Made:
        if root in self._made:
            made: _Made = self._made[root]
            return made
        assert self._page is not None
        template, stand_in = self._page
        page = template.replace(stand_in, root.encode())
        made = page, gzip.compress(page, PACKING), content_policy(page)
        self._made[root] = made
        return made

    async def _make(self, scope: Scope, receive: Receive) -> tuple[bytes, bytes]:
        asked = {
            **scope,
            "method": "GET",
            "scheme": "http",
            "query_string": b"",
            "headers": [(b"host", _PLACEHOLDER_HOST.encode())],
        }
        status, body = 0, bytearray()

        async def collect(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            body.extend(message.get("body", b""))

        await self._app(asked, receive, collect)
        if status != 200:
            raise RuntimeError(f"the page could not be made: status {status}")
        page, own_files = without_own_files(body.decode())
        data = json.dumps({**self._data, "gradio": own_files}, ensure_ascii=False)
        safe = data.replace("<", "\\u003c")  # nothing in it ends the element it stands in
        place = f'{self._body}<script type="application/json" id="mg-data">{safe}</script>'
        no_script = paragraphs("shell.no_script")
        page = page.replace('lang="en"', 'lang="zh-CN"', 1)
        page = page.replace("</head>", f"{self._head}</head>", 1)
        page = _BODY.sub(lambda found: found[0] + place, page, count=1)
        page = page.replace("</body>", f"<noscript>{no_script}</noscript></body>", 1)
        return page.encode(), self._root_of(asked).encode()


def _root_of(scope: Scope) -> str:
    """The app's address as Gradio derives it, also behind a proxy."""
    given = scope["app"].root_path or scope.get("root_path") or None
    return root_address(Request(scope), given)
