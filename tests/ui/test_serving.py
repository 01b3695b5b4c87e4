"""What the started server answers beside Gradio's own routes."""

from __future__ import annotations

import urllib.error
import urllib.request
from email.message import Message

import pytest

from tests.ui.started import StartedServer
from ui.modules import entry, stamp


def get(url: str) -> tuple[str, Message]:
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.read().decode(), response.headers


def test_healthz_answers(server: StartedServer) -> None:
    body, headers = get(server.url + "healthz")
    assert body == '{"status":"ok"}'
    assert headers["content-type"] == "application/json"


def test_modules_are_scripts_kept_for_good_under_their_stamp(server: StartedServer) -> None:
    body, headers = get(f"{server.url}web/{stamp()}/{entry()}")
    assert "export{" in body
    assert headers.get_content_type() in ("text/javascript", "application/javascript")
    assert "immutable" in headers["cache-control"]


@pytest.mark.parametrize("path", ["web/bundle/start.js", "web/0123456789ab/bundle/start.js"])
def test_without_the_present_stamp_a_browser_asks_again(server: StartedServer, path: str) -> None:
    _, headers = get(server.url + path)
    assert headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "web/..%2fapp.py",
        "web/%2e%2e/app.py",
        "web/nothing.js",
        "web/page.js",
        "web/",
        "web/panels/",
    ],
)
def test_nothing_outside_web_is_served(server: StartedServer, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        get(server.url + path)
    assert caught.value.code == 404
    caught.value.close()


def test_the_page_comes_with_its_style_and_the_names_of_its_modules(
    server: StartedServer,
) -> None:
    page, headers = get(server.url)
    assert headers.get_content_type() == "text/html"
    assert 'lang="zh-CN"' in page
    head = page.partition("</head>")[0]
    assert "--mg-surface" in head
    assert f'<link rel="modulepreload" href="./web/{stamp()}/{entry()}">' in head
