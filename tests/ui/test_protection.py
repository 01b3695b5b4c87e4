"""What stands before Gradio, around an app that only says what reached it."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import anyio.to_thread
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from tests import own_loop
from ui import bodies
from ui.gradio_bodies import KnownCalls
from ui.protection import HEADERS, Limits, Protection
from ui.session import current_session

BODY_LIMIT = 4 * 1024
KNOWN = KnownCalls({"next_token": (0, ("tokens",), 1)}, {1: frozenset({"view"})})
PAGE_CALL = "/gradio_api/component_server"
RUN = "/gradio_api/run/next_token"
CALL = {"data": {"tokens": [0]}, "component_id": 1, "fn_name": "view", "session_hash": "s"}


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope, receive)
    body = (await request.body()).decode()
    content = {"path": scope["path"], "root": scope["root_path"], "body": body}
    await JSONResponse(content)(scope, receive, send)


def _around(app: Any, waiting: int = 4) -> Protection:
    own = [Route("/healthz", lambda request: Response("ok"))]
    return Protection(app, Limits(BODY_LIMIT, waiting), KNOWN, own, lambda: None)


@pytest.fixture
def client() -> TestClient:
    return TestClient(_around(_echo), raise_server_exceptions=False)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/healthz",
        "/config",
        "/assets/index.js",
        "/gradio_api/info",
        "/gradio_api/call/next_token/5f",
        "/gradio_api/mcp/",
    ],
)
def test_what_the_page_needs_is_let_through_with_our_headers(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/file=/etc/passwd",
        "/gradio_api/file/app.py",
        "/file=app.py",
        "/gradio_api/proxy=http://127.0.0.1:1/",
        "/gradio_api/upload_progress?upload_id=1",
        "/gradio_api/stream/a/b/1/playlist.m3u8",
        "/gradio_api/deep_link?session_hash=a",
        "/gradio_api/custom_component/a/client/component/x.js",
        "/gradio_api/vibe-code",
        "/gradio_api/token",
        "/gradio_api/runs",
        "/monitoring",
        "/docs",
        "/openapi.json",
        "/login",
        "/web/../app.py",
        "//etc/passwd",
        "/config%0A",
    ],
)
def test_nothing_else_is(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "There is nothing at this address" in answer.json()["error"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE"])
def test_only_the_methods_in_use_are_answered(client: TestClient, method: str) -> None:
    assert client.request(method, "/").status_code == 404
    assert client.request(method, PAGE_CALL).status_code == 404
    assert client.post("/gradio_api/upload").status_code == 404


def test_a_good_call_reaches_gradio_unchanged(client: TestClient) -> None:
    answer = client.post(PAGE_CALL, json=CALL)
    assert json.loads(answer.json()["body"]) == CALL


def test_a_page_of_another_origin_cannot_send_without_asking(client: TestClient) -> None:
    answer = client.post(RUN, content=b"{}", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415


def test_a_large_body_is_refused_by_its_stated_length(client: TestClient) -> None:
    answer = client.post(RUN, json={"data": ["我" * BODY_LIMIT]})
    assert answer.status_code == 413
    assert "4 KiB" in answer.json()["error"]


def test_a_large_body_is_refused_where_no_length_is_stated(client: TestClient) -> None:
    pieces = (b"x" * 1024 for _ in range(10))
    answer = client.post(RUN, content=pieces, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize("length", ["-1", "abc", "9" * 30, "1e3"])
def test_a_length_that_is_none_is_refused(client: TestClient, length: str) -> None:
    headers = {"Content-Type": "application/json", "Content-Length": length}
    assert client.post(RUN, content=b"{}", headers=headers).status_code == 413


def test_the_pages_own_call_is_told_in_its_own_way(client: TestClient) -> None:
    answer = client.post(PAGE_CALL, json=CALL | {"fn_name": "__init__"})
    assert answer.status_code == 200
    assert answer.json()["error"]["code"] == "body_field"


@pytest.mark.parametrize("name", ["Host", "X-Forwarded-Host"])
@pytest.mark.parametrize("host", ["a b", "evil/<script>", "a@b", "[", "a" * 300, "x:123456"])
def test_a_host_that_is_none_is_refused(client: TestClient, name: str, host: str) -> None:
    assert client.get("/", headers={name: host}).status_code == 400


def test_hosts_in_use_are_taken(client: TestClient) -> None:
    for host in ("localhost:7860", "[::1]:7860", "a-b.hf.space", "a.example, b.example:80"):
        assert client.get("/", headers={"X-Forwarded-Host": host}).status_code == 200


def test_a_call_too_many_is_refused_at_once_and_the_next_one_is_not() -> None:
    release = asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await release.wait()
        await JSONResponse({"ok": True})(scope, receive, send)

    async def scenario() -> list[dict[str, Any]]:
        guarded = _around(slow, waiting=2)
        waiting = [asyncio.create_task(_post(guarded, PAGE_CALL, CALL)) for _ in range(2)]
        await asyncio.sleep(0.01)
        refused = await _post(guarded, PAGE_CALL, CALL)
        refused_run = await _post(guarded, RUN, {"data": ["我"]})
        release.set()
        served = [await one for one in waiting]
        return [refused, refused_run, *served, await _post(guarded, PAGE_CALL, CALL)]

    refused, refused_run, *others = own_loop.run(scenario())
    assert refused["status"] == 200
    assert json.loads(refused["body"])["error"]["code"] == "busy"
    assert refused_run["status"] == 503
    assert refused_run["headers"][b"retry-after"] == b"1"
    assert [json.loads(other["body"]) for other in others] == [{"ok": True}] * 3


async def _post(app: Any, path: str, content: Any) -> dict[str, Any]:
    body = json.dumps(content).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "root_path": ""}
    answer: dict[str, Any] = {"body": b""}

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.update(status=message["status"], headers=dict(message["headers"]))
        else:
            answer["body"] += message.get("body", b"")

    await app(scope, receive, send)
    return answer


def test_a_body_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.05)
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": RUN,
        "headers": [(b"content-type", b"application/json")],
        "root_path": "",
    }
    own_loop.run(_around(_echo)(scope, receive, send))
    assert sent[0]["status"] == 408


def _failing(status: int, content: Any) -> Any:
    return JSONResponse(content, status)


def test_a_refused_call_is_no_server_error() -> None:
    client = TestClient(_around(_failing(500, {"error": "“dog” is no word"})))
    answer = client.post(RUN, json={"data": ["dog"]})
    assert answer.status_code == 422
    assert answer.json() == {"error": "“dog” is no word"}


def test_a_server_error_stays_one() -> None:
    client = TestClient(_around(_failing(500, {"error": None})))
    assert client.post(RUN, json={"data": ["dog"]}).status_code == 500


def test_a_failure_is_logged_and_says_nothing_of_what_was_sent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise KeyError("inner text")

    client = TestClient(_around(broken), raise_server_exceptions=False)
    answer = client.post(RUN, json={"data": ["dog"]})
    assert answer.status_code == 500
    assert "inner text" not in answer.text
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "dog" not in caplog.text


def test_a_stream_that_fails_is_ended(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        raise KeyError("inner text")

    client = TestClient(_around(broken))
    assert client.get("/gradio_api/queue/data?session_hash=unknown").text == "one"
    assert not any(record.levelno > logging.INFO for record in caplog.records)


@pytest.mark.parametrize("path", ["/gpt/web/x.js", "/web/x.js"])
def test_the_path_has_its_root_whether_the_proxy_cut_it_off_or_not(path: str) -> None:
    guarded = _around(_echo)
    guarded._own = [Route("/web/x.js", lambda request: Response())]
    client = TestClient(guarded, root_path="/gpt")
    answer = client.get(path.removeprefix("/gpt")).json()
    assert (answer["path"], answer["root"]) == ("/gpt/web/x.js", "/gpt")


def test_a_root_that_is_a_full_address_counts_by_its_path() -> None:
    client = TestClient(_around(_echo), root_path="https://example.org/gpt")
    assert client.get("/config").json()["path"] == "/gpt/config"


def test_a_call_works_in_the_session_that_sent_it() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(await anyio.to_thread.run_sync(current_session))
        await JSONResponse({})(scope, receive, send)

    client = TestClient(_around(app))
    for session in ("a", "b"):
        client.post(PAGE_CALL, json=CALL | {"session_hash": session})
    client.post(RUN, json={"data": ["我"]})
    assert seen == ["a", "b", ""]


_PLAIN: dict[str, Any] = {"type": "http", "method": "GET", "root_path": "", "headers": []}


@pytest.mark.parametrize("path", ["/", "/gradio_api/info", "/gradio_api/mcp/", "/nothing"])
@pytest.mark.parametrize(
    "long",
    [
        {"query_string": b"a=" + b"b" * 70_000},
        {"path": "/" + "猫" * 8_000},
        {"headers": [(b"x-forwarded-proto", b"h" * 70_000)]},
    ],
)
def test_an_address_or_headers_of_70_kilobytes_are_refused(path: str, long: dict[str, Any]) -> None:
    """The library with which Gradio reads addresses fails on more than 64 KiB."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    own_loop.run(_around(_echo)(_PLAIN | {"path": path} | long, receive, send))
    assert sent[0]["status"] == 431
    assert "16 KiB" in json.loads(sent[1]["body"])["error"]


def test_deep_json_for_the_tools_is_refused(client: TestClient) -> None:
    for depth in (20, 8_000, 100_000):
        content = b'{"jsonrpc": "2.0", "params": ' + b"[" * depth + b"]" * depth + b"}"
        headers = {"Content-Type": "application/json"}
        answer = client.post("/gradio_api/mcp/", content=content, headers=headers)
        assert answer.status_code in (400, 413)
        assert answer.json()["error"]


def test_a_web_socket_is_refused_and_reaches_nobody() -> None:
    async def gradio(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("it was let through")

    with (
        pytest.raises(WebSocketDisconnect),
        TestClient(_around(gradio)).websocket_connect("/gradio_api/queue/join"),
    ):
        pass
