"""No request makes the page fetch or open a file: what looks like one never reaches Gradio."""

from __future__ import annotations

import http.client
import json
import socket
import time
from typing import Any

import pytest
from starlette.responses import JSONResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from tests.ui.started import StartedServer
from ui.gradio_bodies import KnownCalls
from ui.protection import Limits, Protection

MARK = "wsprd5520"
KNOWN = KnownCalls({"next_token": (0, ("tokens", "engine", "model"), 1)}, {1: frozenset({"view"})})


def _file(path: str) -> dict[str, Any]:
    return {"path": path, "meta": {"_type": "gradio.FileData"}}


def _requests(value: Any) -> list[tuple[str, Any]]:
    """`value` in every place from which Gradio prepares what an endpoint gets."""
    data = {"data": [value, "torch", "teaching"]}
    queued = {**data, "fn_index": 0, "session_hash": "a"}
    good = {"data": ["我", "torch", "teaching"]}
    tool = {"name": "next_token", "arguments": {"tokens": value}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": tool}
    return [
        ("run/next_token", data),
        ("run/next_token/", data),
        ("api/next_token", data),
        ("call/next_token", data),
        ("call/v2/next_token", {"tokens": value}),
        ("call/v2/next_token", {"tokens": "我", "engine": value}),
        ("queue/join", queued),
        ("run/next_token", good | {"event_data": value}),
        ("queue/join", queued | good | {"event_data": value}),
        ("mcp/", message),
        ("mcp/", [message]),
        ("mcp/messages/", message),
    ]


ROUTES = [pytest.param(place, id=_requests("")[place][0]) for place in range(len(_requests("")))]


@pytest.fixture
def reached() -> list[str]:
    """What has been let through to Gradio."""
    return []


@pytest.fixture
def client(reached: list[str]) -> TestClient:
    async def gradio(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope["path"])
        await JSONResponse({})(scope, receive, send)

    return TestClient(Protection(gradio, Limits(2**20, 4), KNOWN, [], lambda: None))


@pytest.mark.parametrize("place", ROUTES)
@pytest.mark.parametrize(
    "value", [_file(f"http://{MARK}.example/x"), [_file("/etc/passwd")], [], {}, {"path": MARK}]
)
def test_only_single_values_reach_gradio(
    client: TestClient, reached: list[str], place: int, value: Any
) -> None:
    path, body = _requests(value)[place]
    answer = client.post(f"/gradio_api/{path}", json=body)
    assert answer.status_code == 400
    assert "a text, a number, true, false or null" in answer.json()["error"]
    assert MARK not in answer.text
    assert reached == []


@pytest.mark.parametrize("place", ROUTES)
def test_single_values_do(client: TestClient, reached: list[str], place: int) -> None:
    """So that the test above does not pass because nothing is let through."""
    path, body = _requests(None if "event_data" in _requests("")[place][1] else "我")[place]
    assert client.post(f"/gradio_api/{path}", json=body).status_code == 200
    assert len(reached) == 1


def test_the_started_page_calls_nobody_and_logs_nothing(server: StartedServer) -> None:
    before = wait_for_first_line(server)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.settimeout(0.2)
        port = listening.getsockname()[1]
        for path, body in _requests(_file(f"http://127.0.0.1:{port}/{MARK}")):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            headers = {"Content-Type": "application/json"}
            connection.request("POST", f"/gradio_api/{path}", json.dumps(body), headers)
            answer = connection.getresponse()
            assert answer.status == 400, path
            assert json.load(answer)["error"]
            connection.close()
        with pytest.raises(TimeoutError):
            listening.accept()
    assert server.log.read_text() == before


def wait_for_first_line(server: StartedServer) -> str:
    """The log once the page has said where it is, which it does after it answers."""
    until = time.monotonic() + 30
    while "MiniGPT is at" not in server.log.read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
    return server.log.read_text()
