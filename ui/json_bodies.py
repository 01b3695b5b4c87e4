"""A body as JSON that is neither deep nor large, and can be answered in JSON."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from model.errors import InputError

DEPTH_LIMIT = 16  # nested lists and objects; the deepest request of the page has 4
NODE_LIMIT = 8192  # lists, objects and what is in them; the page's largest request has a quarter


def read_json(body: bytes) -> Any:
    """`body` as JSON that can be answered in JSON: finite numbers, whole characters, not deep.

    A megabyte of brackets would take a second to read, one of text (a file) takes milliseconds:
    so the signs are counted first that begin a list, an object or one more thing in it.

    Raises:
        InputError: it is anything else.
    """
    if sum(map(body.count, (b"[", b"{", b","))) > NODE_LIMIT:
        raise InputError("body_nodes", limit=NODE_LIMIT)
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
        # A number too large for a float becomes infinite, half a character stays half.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:  # UnicodeError is a ValueError
        raise InputError("body_json") from error
    _check_depth(value)
    return value


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(DEPTH_LIMIT):
        level = [
            inner for outer in level if isinstance(outer, (list, dict)) for inner in _in(outer)
        ]
        if not level:
            return
    raise InputError("body_deep", limit=DEPTH_LIMIT)


def _in(container: list[Any] | dict[str, Any]) -> list[Any]:
    return container if isinstance(container, list) else list(container.values())


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
