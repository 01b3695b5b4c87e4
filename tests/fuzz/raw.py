"""Whole HTTP requests that are wrong in some way, and what must hold of the answers."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from hypothesis import strategies as st

from tests.fuzz.junk import NASTY_TEXTS, anything, texts
from tests.fuzz.requests import requests

API = "/gradio_api/"
SECONDS = 30.0
_JSON = "application/json"
ENDPOINTS = {"next_token": 3, "generate": 8, "trace": 3}  # name -> number of parameters


@dataclass
class Wrong:
    """A request as `http.client` sends it."""

    method: str
    target: str
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


def _encode(value: Any) -> bytes:
    """JSON with whatever JSON does not have (NaN, half characters), as a careless client's."""
    return json.dumps(value).encode()


def _post(target: str, value: Any) -> Wrong:
    return Wrong("POST", target, _encode(value), {"Content-Type": _JSON})


_session = st.one_of(st.just("fuzz"), st.none(), texts, anything)
_number = st.one_of(st.integers(-1, 4), anything)
_names = st.one_of(
    st.sampled_from(["view", "step", "read", "differences", "__init__", "postprocess"]), anything
)

_component = st.builds(
    lambda data, component, name, session: _post(
        API + "component_server",
        {"data": data, "component_id": component, "fn_name": name, "session_hash": session},
    ),
    requests,
    st.one_of(st.just(1), anything),
    _names,
    st.one_of(st.just("fuzz"), anything),
)


@st.composite
def _endpoint_calls(draw: st.DrawFn) -> Wrong:
    """A call by any of Gradio's four ways, most with the right number of values."""
    name = draw(st.sampled_from([*ENDPOINTS, "nothing"]))
    way = draw(st.sampled_from(["run/", "api/", "call/", "queue/join"]))
    size = ENDPOINTS.get(name, 2)
    values = draw(
        st.one_of(st.lists(anything, min_size=size, max_size=size), st.lists(anything, max_size=9))
    )
    body = {"data": values, "session_hash": draw(_session), "fn_index": draw(_number)}
    body |= draw(st.dictionaries(st.sampled_from(["event_id", "batched", "trigger_id"]), anything))
    kept = {key: value for key, value in body.items() if draw(st.integers(0, 9))}
    return _post(API + way + ("" if way == "queue/join" else name), kept)


_plain_values = st.one_of(
    texts, st.sampled_from(["我喜欢", "我 喜欢 ai", "onnxruntime", "teaching"])
)
_good_way = st.builds(
    lambda name, values: _post(API + "run/" + name, {"data": values[: ENDPOINTS[name]]}),
    st.sampled_from(list(ENDPOINTS)),
    st.lists(st.one_of(_plain_values, anything), min_size=8, max_size=8),
)
_named = st.builds(
    lambda name, body: _post(API + "call/v2/" + name, body),
    st.sampled_from([*ENDPOINTS, "nothing"]),
    st.one_of(
        anything,
        st.dictionaries(st.sampled_from(["tokens", "engine", "model", "count", "x"]), anything),
    ),
)
_not_json = st.builds(
    lambda target, body, kind: Wrong("POST", target, body, {"Content-Type": kind}),
    st.sampled_from([API + "component_server", API + "run/trace", API + "cancel", API + "upload"]),
    st.one_of(
        st.binary(max_size=200),
        st.sampled_from(
            [b"[" * 5_000, b'{"a":' * 2_000, b"NaN", b'{"data": [1e999]}', b"\xef\xbb\xbf{}"]
        ),
    ),
    st.sampled_from([_JSON, _JSON, "text/plain", "multipart/form-data; boundary=x", ""]),
)
_segment = st.one_of(
    st.sampled_from(["gradio_api", "web", "call", "file=", "proxy=", "..", ".", "", "config"]),
    st.sampled_from(NASTY_TEXTS[:-1]),
    st.text(max_size=12),
)
_addresses = st.builds(
    lambda parts, query: Wrong("GET", "/" + "/".join(map(_quoted, parts)) + "?" + _quoted(query)),
    st.lists(_segment, max_size=6),
    texts,
)
_header_values = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
_HEADERS = ("Host", "Origin", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Gradio-Server")
_MORE_HEADERS = ("Range", "Cookie", "Accept-Encoding", "If-None-Match", "Referer", "Accept")
_headers = st.builds(
    lambda target, headers: Wrong("GET", target, b"", headers),
    st.sampled_from(["/", "/config", "/healthz", "/web/page.js", API + "info"]),
    st.dictionaries(st.sampled_from(_HEADERS + _MORE_HEADERS), _header_values, max_size=4),
)

wrong_requests = st.one_of(
    _component, _endpoint_calls(), _good_way, _named, _not_json, _addresses, _headers
)


def _quoted(text: str) -> str:
    return quote(text, safe="=%", errors="replace")[:500]


def check_request(port: int, wrong: Wrong) -> None:
    """Fail unless the server at `port` answers, and blames nobody but who asked."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request(wrong.method, wrong.target, wrong.body or None, wrong.headers)
        answer = connection.getresponse()
        status, body = answer.status, answer.read(2_000_000)
    finally:
        connection.close()
    assert status < 500, (status, body[:300])
    assert b"Traceback" not in body
    assert b'"internal"' not in body
    if 400 <= status < 500 and answer.headers.get_content_type() == _JSON:
        assert len(body) > 10, "an error without a cause"
