"""Functions the browser calls: one request object in, one JSON object out, never an exception."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any

from languages import LANGUAGES
from model.errors import InputError

Request = dict[str, Any]
Response = dict[str, Any]

_LOG = logging.getLogger(__name__)


def server_call(function: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """`function` for the browser: an exception becomes `{"error": {"code", "text"}}`.

    The text is in the request's language. An unexpected exception is logged, and the answer
    says only that an internal error occurred.
    """

    @functools.wraps(function)
    def call(request: Request) -> Response:
        language = _language(request)
        try:
            if not isinstance(request, dict):
                raise InputError("request_type", kind=type(request).__name__)
            return function(request)
        except InputError as error:
            told = {"code": error.code, "text": error.text(language)}
            field = error.details.get("name")  # the form field that is wrong, if one is named
            return {"error": told if field is None else told | {"field": field}}
        except Exception:
            _LOG.exception("%s failed", function.__name__)
            return {"error": {"code": "internal", "text": InputError("internal").text(language)}}

    return call


def _language(request: Any) -> str:
    asked = request.get("lang") if isinstance(request, dict) else None
    return asked if asked in LANGUAGES else LANGUAGES[0]
