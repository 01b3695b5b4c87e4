"""A server call answers in JSON whatever happens, in the person's language."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from model.errors import InputError
from ui.calls import Request, Response, server_call


@server_call
def refuse(request: Request) -> Response:
    raise InputError("count", value=request["value"], lowest=1, highest=64)


@server_call
def fail(request: Request) -> Response:
    raise RuntimeError("secret detail")


@server_call
def echo(request: Request) -> Response:
    return {"got": request}


def test_an_answer_passes_unchanged() -> None:
    assert echo({"lang": "en", "tokens": [1]}) == {"got": {"lang": "en", "tokens": [1]}}


@pytest.mark.parametrize(
    ("lang", "part"),
    [("zh", "词数必须"), ("en", "The number of words"), ("fr", "词数"), (None, "词数")],
)
def test_what_a_person_caused_is_said_in_their_language(lang: Any, part: str) -> None:
    answer = refuse({"lang": lang, "value": 99})
    assert answer["error"]["code"] == "count"
    assert part in answer["error"]["text"]
    assert "99" in answer["error"]["text"]


def test_what_nobody_foresaw_is_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        answer = fail({"lang": "en"})
    assert answer["error"]["code"] == "internal"
    assert "secret" not in answer["error"]["text"]
    assert "secret detail" in caplog.text


@pytest.mark.parametrize("request_", [None, [], "text", 5])
def test_a_request_that_is_no_object_is_refused(request_: Any) -> None:
    assert echo(request_)["error"]["code"] == "request_type"
