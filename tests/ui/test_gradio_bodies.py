"""What Gradio's routes take, checked before Gradio sees it."""

from __future__ import annotations

from typing import Any

import pytest

from model.errors import InputError
from tests import own_loop
from ui.gradio_bodies import KnownCalls, check_body, known_calls
from ui.json_bodies import DEPTH_LIMIT, read_json
from ui.page import build

KNOWN = KnownCalls(
    endpoints={"next_token": (0, ("tokens", "engine"), 1)},
    functions={7: frozenset({"view"})},
)
API = "/gradio_api/"
CALL = {"data": {}, "component_id": 7, "fn_name": "view", "session_hash": "abc"}
JOIN = {"data": ["我", "torch"], "fn_index": 0, "session_hash": "abc"}


async def _built() -> KnownCalls:
    """In a loop: without one, Gradio makes its own and leaves it open."""
    return known_calls(build())


def test_what_the_page_offers_is_found() -> None:
    known = own_loop.run(_built())
    assert known.endpoints["next_token"][1:] == (("tokens", "engine", "model"), 1)
    assert list(known.endpoints) == ["next_token", "generate", "trace"]
    (functions,) = known.functions.values()
    assert {"view", "step", "read", "differences"} <= functions


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("component_server", CALL),
        ("component_server/", CALL),
        ("run/next_token", {"data": ["我", "torch"]}),
        ("api/next_token", {"data": ["我", "torch"], "session_hash": None, "fn_index": 0}),
        ("call/next_token", {"data": ["我", "torch"]}),
        ("call/v2/next_token", {"tokens": "我"}),
        ("queue/join", JOIN | {"trigger_id": 3, "event_data": None}),
        ("cancel", {"session_hash": "a", "fn_index": 0, "event_id": "e"}),
        ("reset", {"event_id": "e"}),
    ],
)
def test_a_good_body_passes(path: str, body: Any) -> None:
    check_body(API + path, body, KNOWN)


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("component_server", [], "{…}"),
        ("component_server", CALL | {"component_id": 8}, "component_id"),
        ("component_server", CALL | {"component_id": True}, "component_id"),
        ("component_server", CALL | {"component_id": [7]}, "component_id"),
        ("component_server", CALL | {"fn_name": "__init__"}, "fn_name"),
        ("component_server", CALL | {"fn_name": {}}, "fn_name"),
        ("component_server", CALL | {"session_hash": "a" * 65}, "session_hash"),
        ("component_server", CALL | {"session_hash": "../x"}, "session_hash"),
        ("component_server", {key: CALL[key] for key in CALL if key != "data"}, "data"),
        ("run/nothing", {"data": []}, "endpoint"),
        ("run/next_token", {"data": ["我"]}, "data"),
        ("run/next_token", {"data": "我"}, "data"),
        ("run/next_token", {"data": ["我", "torch"], "fn_index": 9}, "fn_index"),
        ("run/next_token", {"data": ["我", "torch"], "batched": True}, "batched"),
        ("run/next_token", {"data": ["我", "torch"], "trigger_id": 2**70}, "trigger_id"),
        ("call/v2/next_token", {"engine": "torch"}, "tokens"),
        ("call/v2/next_token", {"tokens": "我", "path": "/etc/passwd"}, "path"),
        ("queue/join", JOIN | {"fn_index": None}, "fn_index"),
        ("queue/join", JOIN | {"session_hash": None}, "session_hash"),
        ("queue/join", JOIN | {"event_id": {}}, "event_id"),
        ("queue/join", JOIN | {"oauth_token": "x"}, "oauth_token"),
        ("cancel", {"session_hash": "a", "fn_index": 0}, "event_id"),
    ],
)
def test_a_wrong_body_is_refused_by_the_name_of_the_field(path: str, body: Any, field: str) -> None:
    with pytest.raises(InputError) as caught:
        check_body(API + path, body, KNOWN)
    assert caught.value.details["name"] == field


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[1,]", b"NaN", b"[Infinity]", b"1e999", b'"\\ud800"', b"\xff", b"[" * 5_000],
)
def test_what_is_not_json_is_refused(body: bytes) -> None:
    with pytest.raises(InputError) as caught:
        read_json(body)
    assert caught.value.code == "body_json"


def test_a_number_with_thousands_of_digits_is_refused() -> None:
    with pytest.raises(InputError):
        read_json(b"9" * 5_000)


def test_deep_json_is_refused_and_the_pages_own_depth_is_not() -> None:
    read_json(b"[" * (DEPTH_LIMIT - 1) + b"]" * (DEPTH_LIMIT - 1))
    with pytest.raises(InputError) as caught:
        read_json(b"[" * (DEPTH_LIMIT + 1) + b"]" * (DEPTH_LIMIT + 1))
    assert caught.value.code == "body_deep"
