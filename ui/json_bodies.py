"""Parsing JSON bodies, with limits on nesting and number of values."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from model.errors import InputError

DEPTH_LIMIT = 16  # levels of lists and objects; the page's deepest request has 4
NODE_LIMIT = 8192  # lists, objects and their elements; the page's largest request has a quarter


def read_json(body: bytes) -> Any:
    """`body` parsed as JSON whose values can be encoded again: finite numbers, valid Unicode.

    Parsing a megabyte of brackets takes a second, a megabyte of text (a file) milliseconds: so
    brackets, braces and commas are counted before parsing.

    Raises:
        InputError: it is not such JSON, or exceeds NODE_LIMIT or DEPTH_LIMIT.
    """
    if sum(map(body.count, (b"[", b"{", b","))) > NODE_LIMIT:
        raise InputError("body_nodes", limit=NODE_LIMIT)
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
        # `loads` turns a number too large for a float into infinity and keeps lone surrogates.
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
