"""The addresses the page and its endpoints need. Gradio answers many more; those stay shut.

Among what is shut: reading files (`/file=`), fetching from other hosts (`/proxy=`), uploads,
recordings, saved states (`/deep_link`) and the code editor (`/vibe-…`).
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
    """`scope` with a path that begins with its root, as ASGI has it.

    A proxy in front cuts the root off, and then no mounted part finds its files. The root may
    be given as a full address, of which only the path is meant here.
    """
    root = urlsplit(str(scope.get("root_path", ""))).path.rstrip("/")
    path = str(scope["path"])
    if not _is_below(path, root):
        path = root + path
    return {**scope, "root_path": root, "path": path, "raw_path": quote(path).encode()}


def path_of(scope: Scope) -> str:
    """The path below the app's root, whether the proxy in front cut the root off or not."""
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path[len(root) :] or "/" if _is_below(path, root) else path


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root + "/")


def is_call(path: str) -> bool:
    """Whether `path` computes something for its caller."""
    return _CALL.fullmatch(path) is not None


def is_page_call(path: str) -> bool:
    """Whether `path` is the one that the page itself calls."""
    return path.rstrip("/") == f"{API}/component_server"


def is_mcp(path: str) -> bool:
    """Whether `path` belongs to the Model Context Protocol, which checks its own messages."""
    return _MCP.fullmatch(path) is not None


def is_known(scope: Scope, own: Sequence[BaseRoute]) -> bool:
    """Whether a request's method and path are among those that are answered.

    own: this project's routes, which are known whatever they are called.
    """
    method, path = scope["method"], path_of(scope)
    if is_mcp(path):
        return True
    if method in _READING and _READ.fullmatch(path):
        return True
    if method in _SENDING and (is_call(path) or _MANAGE.fullmatch(path)):
        return True
    return any(route.matches(scope)[0] is Match.FULL for route in own)
