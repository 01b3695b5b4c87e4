"""What people write, in whatever field or address, never reaches the operator's log."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any

from tests.ui.started import StartedServer, started

MARK = "pssst7391"
_JSON = {"Content-Type": "application/json"}
_FIELDS = "text tokens model engine lang edits switches sampling key stage task corpus content name"
_FUNCTIONS = "view step read differences training_start training_corpus own_load own_weights"


def _send(server: StartedServer, method: str, path: str, body: Any = None, **headers: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    content = None if body is None else json.dumps(body).encode()
    connection.request(method, path, content, {**_JSON, **headers})
    connection.getresponse().read()
    connection.close()


def _component(server: StartedServer) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/config")
    components = json.load(connection.getresponse())["components"]
    connection.close()
    return next(int(one["id"]) for one in components if one["type"] == "html")


def _whisper(server: StartedServer) -> None:
    """Send the mark in every way there is."""
    component = _component(server)
    for value in (MARK, [MARK], {MARK: MARK}, {MARK: {"0,0": MARK}}):
        request = dict.fromkeys(_FIELDS.split(), value)
        for function in (*_FUNCTIONS.split(), MARK):
            body = {"data": request, "component_id": component, "fn_name": function}
            body["session_hash"] = MARK
            _send(server, "POST", "/gradio_api/component_server", body)
        for endpoint in ("next_token", "generate", "trace", MARK):
            for size in (3, 8):
                data = {"data": [value] * size, "session_hash": MARK}
                _send(server, "POST", f"/gradio_api/run/{endpoint}", data)
                _send(server, "POST", f"/gradio_api/call/{endpoint}", data)
    # A text that is taken.
    text: dict[str, object] = {"corpus": f"{MARK} a b\n{MARK} b a", "unit": "words"}
    sizes = {"num_layers": 1, "num_heads": 1, "model_dim": 2, "context_length": 2, "dropout": 0}
    task = {**text, "model": sizes, "steps": 1}
    for function, given in (("training_corpus", text), ("training_start", {"task": task})):
        asked = {"data": given, "component_id": component, "fn_name": function}
        _send(server, "POST", "/gradio_api/component_server", {**asked, "session_hash": MARK})
    whisper_to_the_tools(server)
    for path in (f"/{MARK}", f"/?{MARK}={MARK}", f"/gradio_api/file={MARK}", f"/web/{MARK}"):
        _send(server, "GET", path)
    _send(server, "GET", f"/gradio_api/queue/data?session_hash=other{MARK}")
    _send(server, "GET", f"/gradio_api/call/next_token/{MARK}")
    for name in ("X-Forwarded-Host", "Host", "User-Agent", "Referer", "Cookie"):
        _send(server, "GET", "/", None, **{name: MARK})


def whisper_to_the_tools(server: StartedServer) -> None:
    """Messages that are none of the protocol's, each in its own way."""
    accept = {"Accept": "application/json, text/event-stream"}
    named = {"name": MARK, "arguments": {MARK: MARK}}
    messages = [
        *(MARK, [MARK], {MARK: MARK}),
        {"jsonrpc": "2.0", "id": MARK, "method": MARK},
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {MARK: MARK}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": named},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": MARK},
        {"jsonrpc": MARK, "id": 4, "method": "tools/list"},
        {"jsonrpc": "2.0", "method": f"notifications/{MARK}", "params": named},
    ]
    for message in messages:
        for path in ("/gradio_api/mcp/", "/gradio_api/mcp/messages/"):
            _send(server, "POST", path, message, **accept)
    _send(server, "GET", f"/gradio_api/mcp/{MARK}", None, **{"Mcp-Session-Id": MARK})


def test_no_text_of_a_person_is_in_the_log(tmp_path: Path) -> None:
    server = started(tmp_path / "log.txt")
    try:
        _whisper(server)
        assert server.answers()
    finally:
        server.stop()
    log = server.log.read_text()
    assert MARK not in log
    assert "mini_gpt: MiniGPT is at" in log
    assert len(log.splitlines()) < 10, log
