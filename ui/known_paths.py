"""The paths that the page and its endpoints need; Gradio's other routes are blocked.

Blocked are, among others, reading files (`/file=`), fetching from other hosts (`/proxy=`),
uploads, recordings, saved states (`/deep_link`) and the code editor (`/vibe-…`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from starlette.routing import BaseRoute, Match
from starlette.types import Scope

API = "/gradio_api"

_READ = re.compile(
    rf"""
    / | /config/? | /theme\.css | /favicon\.ico | /robots\.txt
    | /(assets|static)/.+
    | {API}/(info|openapi\.json|startup-events|app_id|theme\.css|queue/status|queue/data)/?
    | {API}/heartbeat/[\w-]+
    | {API}/call/(v2/)?\w+/[\w-]+
    """,
    re.VERBOSE | re.ASCII,
)
_CALL = re.compile(rf"{API}/(component_server|queue/join|(run|api|call|call/v2)/\w+)/?", re.ASCII)
_MANAGE = re.compile(rf"{API}/(cancel|reset)/?", re.ASCII)
_MCP = re.compile(rf"{API}/mcp(/.*)?", re.ASCII)

_READING, _SENDING = ("GET", "HEAD", "OPTIONS"), ("POST", "OPTIONS")


def rooted(scope: Scope) -> Scope:
    """`scope` with a path that begins with `root_path`, as ASGI specifies.

    A proxy that strips the root path leaves a path in which no mounted app finds its files.
    `root_path` may also be a full URL, of which only the path is used.
    """
    root = urlsplit(str(scope.get("root_path", ""))).path.rstrip("/")
    path = str(scope["path"])
    if not _is_below(path, root):
        path = root + path
    return {**scope, "root_path": root, "path": path, "raw_path": quote(path).encode()}


def path_of(scope: Scope) -> str:
    """The path below the app's root, whether or not a proxy has stripped the root."""
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path[len(root) :] or "/" if _is_below(path, root) else path


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root + "/")


def is_call(path: str) -> bool:
    """Whether a request to `path` runs a function."""
    return _CALL.fullmatch(path) is not None


def is_page_call(path: str) -> bool:
    """Whether `path` is the one for the page's own calls."""
    return path.rstrip("/") == f"{API}/component_server"


def is_mcp(path: str) -> bool:
    """Whether `path` belongs to the MCP server, which validates its own messages."""
    return _MCP.fullmatch(path) is not None


def is_known(scope: Scope, own: Sequence[BaseRoute]) -> bool:
    """Whether a request's method and path are allowed.

    own: this project's own routes, all of which are allowed.
    """
    method, path = scope["method"], path_of(scope)
    if is_mcp(path):
        return True
    if method in _READING and _READ.fullmatch(path):
        return True
    if method in _SENDING and (is_call(path) or _MANAGE.fullmatch(path)):
        return True
    return any(route.matches(scope)[0] is Match.FULL for route in own)
