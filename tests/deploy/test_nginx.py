"""Behind nginx on a sub-path: every address stays below it, and https stays https."""

from __future__ import annotations

import http.cookiejar
import json
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from gradio_client import Client

from deploy.nginx import configuration
from tests.deploy.proxy import PATH, nginx
from tests.needed import program
from tests.ui.reading import bars
from tests.ui.started import StartedServer, free_port


@pytest.fixture(scope="module")
def replicas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[StartedServer]]:
    program("nginx")  # before two servers are started for nothing
    folder = tmp_path_factory.mktemp("replicas")
    servers = [
        StartedServer(free_port(), folder / f"{n}.txt", {}, arguments=("--root-path", PATH))
        for n in range(2)
    ]
    with ThreadPoolExecutor() as pool:
        list(pool.map(StartedServer.start, servers))
    yield servers
    for server in servers:
        server.stop()


@pytest.fixture(scope="module")
def addresses(replicas: list[StartedServer]) -> list[str]:
    return [f"127.0.0.1:{server.port}" for server in replicas]


@pytest.fixture(scope="module")
def https(addresses: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("https")
    with nginx(folder, free_port(), addresses, encrypted=True) as url:
        yield url


@pytest.fixture(scope="module")
def plain(addresses: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("plain")
    with nginx(folder, free_port(), addresses, encrypted=False) as url:
        yield url


def test_the_page_works_over_https_and_asks_for_nothing_elsewhere(https: str, browser: Any) -> None:
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: _note(message, wrong))
    page.goto(https + "?tokens=0-1-2")
    page.locator(".mg-bars tbody tr").first.wait_for()
    shown = bars(page)
    page.locator(".mg-map-area").wait_for(state="attached")
    context.close()
    assert len(shown) == 5
    assert [url for url in asked if not url.startswith(https)] == []
    assert any(url.startswith(https + "gradio_api/component_server") for url in asked)
    assert wrong == []


def _note(message: Any, wrong: list[str]) -> None:
    if message.type in ("error", "warning"):
        wrong.append(message.text)


def test_the_style_is_in_the_page_behind_a_proxy_too(plain: str) -> None:
    with urllib.request.urlopen(plain, timeout=10) as response:
        page = response.read().decode()
        policy = response.headers["Content-Security-Policy"]
    assert ".mini-gpt" in page
    assert 'lang="zh-CN"' in page
    assert "script-src 'self'" in policy


def test_addresses_in_the_configuration_are_the_proxys(plain: str) -> None:
    request = urllib.request.Request(plain + "config", headers={"X-Forwarded-Proto": "https"})
    with urllib.request.urlopen(request, timeout=10) as response:
        root = json.load(response)["root"]
    assert root == plain.replace("http://", "https://").rstrip("/")


def test_the_path_without_a_slash_leads_to_the_page(plain: str) -> None:
    with urllib.request.urlopen(plain.rstrip("/"), timeout=10) as response:
        assert response.url == plain


def test_a_program_reaches_the_endpoints(plain: str) -> None:
    client = Client(plain, verbose=False)
    found = client.predict("我喜欢", api_name="/next_token")
    client.close()
    assert round(found["probabilities"]["学习"], 4) == 0.4835


def test_a_person_stays_with_one_replica(plain: str, replicas: list[StartedServer]) -> None:
    """Seen by the queue's event, which only the replica that took it can finish."""
    for _ in range(6):
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        person = urllib.request.build_opener(jar)
        person.open(plain, timeout=10).close()  # the page brings the cookie
        for _ in range(3):
            started = _post(
                person, plain + "gradio_api/call/next_token", ["我", "onnxruntime", "teaching"]
            )
            event = started["event_id"]
            answer = person.open(f"{plain}gradio_api/call/next_token/{event}", timeout=10)
            assert b"event: complete" in answer.read()


def _post(person: Any, url: str, data: list[Any]) -> dict[str, Any]:
    body = json.dumps({"data": data}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    answer: dict[str, Any] = json.load(person.open(request, timeout=10))
    return answer


def test_the_shipped_configuration_is_one_nginx_takes(tmp_path: Path) -> None:
    text = configuration("8080", "/gpt", ["127.0.0.1:7860", "127.0.0.1:7861"], str(tmp_path))
    assert not re.search("@{", text)
    (tmp_path / "nginx.conf").write_text(text)
    checked = subprocess.run(
        [program("nginx"), "-t", "-c", tmp_path / "nginx.conf", "-e", "stderr"],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("path", ["/gpt; }", "/a\nb", "/$host"])
def test_a_path_that_would_change_the_configuration_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="neither an address nor a path"):
        configuration("8080", path, ["127.0.0.1:7860"], "/tmp/x")


@pytest.mark.parametrize(
    ("listen", "replicas", "folder"),
    [
        ("8080; }", ["127.0.0.1:7860"], "/tmp/x"),
        ("8080", ["127.0.0.1:7860", "127.0.0.1:7861; }"], "/tmp/x"),
        ("8080", ["127.0.0.1:7860"], "/tmp/x;"),
    ],
)
def test_so_is_every_other_place(listen: str, replicas: list[str], folder: str) -> None:
    with pytest.raises(ValueError, match="neither an address nor a path"):
        configuration(listen, "/gpt", replicas, folder)
