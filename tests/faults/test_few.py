"""A few who mean ill do not shut out the others: what is refused, and what goes on meanwhile."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.responses import JSONResponse
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from bench.load.attacks import DESCRIPTORS, SILENT, under_attack
from bench.load.connection import Connection
from tests import own_loop
from tests.needed import program
from tests.ui.started import StartedServer, free_port
from ui.gradio_bodies import UPLOADS, KnownCalls
from ui.json_bodies import NODE_LIMIT
from ui.page import server_functions
from ui.protection import SMALL_BYTES, Limits, Protection

PAGE_CALL = "/gradio_api/component_server"
RUN = "/gradio_api/run/next_token"
KNOWN = KnownCalls({"next_token": (0, ("tokens",), 1)}, {1: frozenset({"view", "own_load"})})
LARGEST = 1024 * 1024
PLACES = 4


async def _gradio(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await JSONResponse({"ok": True})(scope, receive, send)


def _protection() -> Protection:
    return Protection(_gradio, Limits(LARGEST, PLACES), KNOWN, [], lambda: None)


def _call(name: str, data: Any) -> bytes:
    body = {"data": data, "component_id": 1, "fn_name": name, "session_hash": "s"}
    return json.dumps(body).encode()


async def _post(app: Protection, receive: Receive) -> bytes:
    answer = bytearray()

    async def send(message: Message) -> None:
        answer.extend(message.get("body", b""))

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": PAGE_CALL, "headers": headers}
    await app(scope | {"root_path": ""}, receive, send)
    return bytes(answer)


def test_bodies_that_come_slowly_keep_nobody_out() -> None:
    async def never() -> Message:
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def whole() -> Message:
        return {"type": "http.request", "body": _call("view", {}), "more_body": False}

    async def scenario() -> bytes:
        app = _protection()
        slow = [asyncio.create_task(_post(app, never)) for _ in range(20 * PLACES)]
        await asyncio.sleep(0.01)
        answer = await _post(app, whole)
        for one in slow:
            one.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        return answer

    assert json.loads(own_loop.run(scenario())) == {"ok": True}


def test_large_requests_take_turns_and_a_click_does_not_wait_for_them() -> None:
    """A file after a file would leave every second millisecond to everybody else."""
    inside = 0
    together = 0

    async def slow_gradio(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal inside, together
        body = (await receive())["body"]
        if len(body) > SMALL_BYTES:
            inside += 1
            together = max(together, inside)
            await asyncio.sleep(0.05)
            inside -= 1
        await JSONResponse({"ok": True})(scope, receive, send)

    def sends(content: bytes) -> Receive:
        async def whole() -> Message:
            return {"type": "http.request", "body": content, "more_body": False}

        return whole

    async def scenario() -> list[int]:
        app = Protection(slow_gradio, Limits(LARGEST, PLACES), KNOWN, [], lambda: None)
        file = _call("own_load", {"content": "A" * (SMALL_BYTES + 1)})
        files = [asyncio.create_task(_post(app, sends(file))) for _ in range(2 * PLACES)]
        await asyncio.sleep(0.06)
        left = []
        for _ in range(5):
            assert json.loads(await _post(app, sends(_call("view", {})))) == {"ok": True}
            left.append(sum(not one.done() for one in files))
        await asyncio.gather(*files)
        return left

    assert min(own_loop.run(scenario())) >= 2 * PLACES - 2
    assert together == 1


@pytest.fixture
def client() -> TestClient:
    return TestClient(_protection())


def _send(client: TestClient, path: str, content: bytes) -> Any:
    return client.post(path, content=content, headers={"Content-Type": "application/json"})


@pytest.mark.parametrize(
    "content",
    [
        b"[" + b"[]," * NODE_LIMIT + b"[]]",
        b'{"data":' + b"[" + b"{}," * NODE_LIMIT + b"{}]}",
        b"[" + b"1," * NODE_LIMIT + b"1]",
        b"[" * (NODE_LIMIT + 1),
        b'{"a":' * (NODE_LIMIT + 1),
    ],
)
@pytest.mark.parametrize("path", [RUN, PAGE_CALL])
def test_many_brackets_are_refused_before_they_are_read(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, content: bytes, path: str
) -> None:
    read: list[int] = []
    reader = SimpleNamespace(loads=lambda *given, **more: read.append(1), dumps=json.dumps)
    monkeypatch.setattr("ui.json_bodies.json", reader)
    answer = _send(client, path, content[: SMALL_BYTES - 1])
    assert read == []
    assert "8192 values" in answer.text


def test_only_a_named_upload_may_be_large(client: TestClient) -> None:
    text = "A" * (SMALL_BYTES + 1)
    assert _send(client, PAGE_CALL, _call("own_load", {"content": text})).json() == {"ok": True}
    refused = _send(client, PAGE_CALL, _call("view", {"content": text})).json()
    assert refused["error"]["code"] == "body_size"
    for named in ({}, {"fn_name": "own_load"}):  # which is a function of the page alone
        body = {"data": [text], **named}
        assert _send(client, RUN, json.dumps(body).encode()).status_code == 413


def test_the_uploads_are_functions_of_the_page() -> None:
    assert {function.__name__ for function in server_functions()} >= UPLOADS


@pytest.fixture
def few_files(tmp_path: Path) -> Iterator[StartedServer]:
    """A page that may have no more files open than many systems allow."""
    python = tmp_path / "python"
    limited = f'exec {program("prlimit")} --nofile={DESCRIPTORS} {sys.executable} "$@"\n'
    python.write_text("#!/bin/sh\n" + limited)
    python.chmod(0o755)
    server = StartedServer(free_port(), tmp_path / "log.txt", {}, python=str(python))
    server.start()
    yield server
    server.stop()


@pytest.mark.long("a server of its own")
def test_more_silent_lines_than_files_end_neither_service_nor_the_disk(
    few_files: StartedServer,
) -> None:
    async def asked() -> int:
        line = Connection(few_files.port)
        status = (await line.get("/healthz")).status
        await line.close()
        return status

    assert SILENT > DESCRIPTORS
    with under_attack("silent_sockets", few_files.port, 0, 60):
        assert [own_loop.run(asked()) for _ in range(5)] == [200] * 5
    assert few_files.answers()
    assert len(few_files.log.read_text().splitlines()) < 10
