"""Validation of request bodies for Gradio's routes, before Gradio reads them.

Gradio answers a body with a missing field, an unknown number or a wrong type with a 500 and a
traceback in the log; here it is a 400 that names the field. Gradio also searches the arguments of
an endpoint for file objects and fetches what they name before any of our code runs: so only
scalar values are accepted as arguments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from model.errors import InputError
from ui.gradio_inside import Endpoints, endpoints_of, server_functions_of
from ui.known_paths import API

if TYPE_CHECKING:
    import gradio as gr

UPLOADS = frozenset({"own_load"})  # the page's functions that take a file

_SESSION = re.compile(r"[\w.-]{1,64}", re.ASCII)
_EVENT_LIMIT = 64
_SINGLE = (str, int, float, bool, type(None))
_A_SINGLE_VALUE = "a text, a number, true, false or null"


@dataclass(frozen=True)
class KnownCalls:
    """What can be called: the endpoints, and the page's functions by component id."""

    endpoints: Endpoints
    functions: dict[int, frozenset[str]]


def known_calls(blocks: gr.Blocks) -> KnownCalls:
    """What `blocks` offers."""
    return KnownCalls(endpoints_of(blocks), server_functions_of(blocks))


def check_body(path: str, body: Any, known: KnownCalls) -> None:
    """Raise InputError unless `body` is what Gradio's route at `path` takes."""
    route, _, name = path.removeprefix(API + "/").rstrip("/").rpartition("/")
    if not isinstance(body, dict):
        _field("{…}", "an object", body)
    if name == "component_server":
        _check_server_function(body, known)
    elif route == "call/v2":
        _check_named(name, body, known)
    elif route in ("run", "api", "call"):
        _check_endpoint(name, body, known)
    elif name == "join":
        _check_queued(body, known)
    elif name == "cancel":
        _check_session(body, needed=True)
        _check_number(body, {number for number, _, _ in known.endpoints.values()}, needed=True)
        _check_text(body, "event_id", needed=True)
    elif name == "reset":
        _check_text(body, "event_id", needed=True)


def check_mcp(body: Any) -> None:
    """Raise InputError if an MCP message (or one of a batch) passes a tool anything but scalar
    values; the rest of a message is checked by the `mcp` package."""
    for message in body if isinstance(body, list) else [body]:
        params = message.get("params") if isinstance(message, dict) else None
        arguments = params.get("arguments") if isinstance(params, dict) else None
        if isinstance(arguments, dict):
            _check_single(arguments)
        elif arguments is not None:
            _field("arguments", "an object", arguments)


def _check_server_function(body: dict[str, Any], known: KnownCalls) -> None:
    _check_session(body, needed=True)
    component, name = body.get("component_id"), body.get("fn_name")
    if type(component) is not int or component not in known.functions:
        _field("component_id", f"one of {sorted(known.functions)}", component)
    if not isinstance(name, str) or name not in known.functions[component]:
        _field("fn_name", "a function of the page", name)
    if "data" not in body:
        _field("data", "an object", None)


def _check_endpoint(name: str, body: dict[str, Any], known: KnownCalls) -> None:
    number, parameters, _ = _endpoint(name, known)
    _check_data(body, parameters)
    _check_session(body, needed=False)
    _check_number(body, {number}, needed=False)
    _check_rest(body)


def _check_queued(body: dict[str, Any], known: KnownCalls) -> None:
    by_number = {number: parameters for number, parameters, _ in known.endpoints.values()}
    _check_session(body, needed=True)
    _check_number(body, set(by_number), needed=True)
    _check_data(body, by_number[body["fn_index"]])
    _check_rest(body)


def _check_named(name: str, body: dict[str, Any], known: KnownCalls) -> None:
    _, parameters, needed = _endpoint(name, known)
    unknown = body.keys() - set(parameters)
    if unknown:
        _field(min(unknown), f"one of {', '.join(parameters)}", body[min(unknown)])
    for parameter in parameters[:needed]:
        if parameter not in body:
            _field(parameter, "given", None)
    _check_single(body)


def _endpoint(name: str, known: KnownCalls) -> tuple[int, tuple[str, ...], int]:
    if name not in known.endpoints:
        _field("endpoint", f"one of {', '.join(known.endpoints)}", name)
    return known.endpoints[name]


def _check_data(body: dict[str, Any], parameters: tuple[str, ...]) -> None:
    data = body.get("data")
    if not isinstance(data, list) or len(data) != len(parameters):
        _field("data", f"[{', '.join(parameters)}]", data)
    _check_single(dict(zip(parameters, data, strict=True)))


def _check_single(values: dict[str, Any]) -> None:
    for name, value in values.items():
        if not isinstance(value, _SINGLE):
            _field(name, _A_SINGLE_VALUE, value)


def _check_session(body: dict[str, Any], needed: bool) -> None:
    session = body.get("session_hash")
    if session is None and not needed:
        return
    if not isinstance(session, str) or not _SESSION.fullmatch(session):
        _field("session_hash", "1 to 64 letters, digits, - or _", session)


def _check_number(body: dict[str, Any], allowed: set[int], needed: bool) -> None:
    number = body.get("fn_index")
    if number is None and not needed:
        return
    if type(number) is not int or number not in allowed:
        _field("fn_index", f"one of {sorted(allowed)}", number)


def _check_text(body: dict[str, Any], name: str, needed: bool) -> None:
    text = body.get(name)
    if text is None and not needed:
        return
    if not isinstance(text, str) or len(text) > _EVENT_LIMIT:
        _field(name, f"a text of at most {_EVENT_LIMIT} characters", text)


def _check_rest(body: dict[str, Any]) -> None:
    """Gradio's own fields that a call may contain."""
    _check_single({name: value for name, value in body.items() if name != "data"})
    _check_text(body, "event_id", needed=False)
    trigger = body.get("trigger_id")
    if trigger is not None and (type(trigger) is not int or not 0 <= trigger < 2**31):
        _field("trigger_id", "a whole number", trigger)
    if body.get("batched"):
        _field("batched", "false", body["batched"])
    if body.get("oauth_token") is not None:
        _field("oauth_token", "left out", "…")


def _field(name: str, expected: str, value: Any) -> NoReturn:
    met = repr(value)[:60] if isinstance(value, _SINGLE) else type(value).__name__
    raise InputError("body_field", name=name[:40], expected=expected, value=met)
