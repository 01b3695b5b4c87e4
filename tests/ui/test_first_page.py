"""The page at "/" is made once; what differs is the address it is asked at."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.first_page import FirstPage

PAGE = (
    '<html lang="en"><head><script type="module" crossorigin src="./assets/index.js"></script>'
    '<link rel="stylesheet" crossorigin href="./assets/index.css"></head>'
    '<body style="">Gradio<script>root = "{}"</script></body></html>'
)
OURS: dict[str, Any] = {
    "head": "<style></style>",
    "body": '<div class="mini-gpt"></div>',
    "data": {"initial": {"text": "</script><b>"}},
}


class _Gradio:
    """Counts how often it has to make the page."""

    def __init__(self) -> None:
        self.made = 0

    async def answer(self, request: Request) -> HTMLResponse:
        """One more."""
        self.made += 1
        return HTMLResponse(PAGE.format(str(request.base_url).rstrip("/")))


@pytest.fixture
def gradio() -> _Gradio:
    return _Gradio()


@pytest.fixture
def client(gradio: _Gradio) -> TestClient:
    def root_of(scope: object) -> str:
        return str(Request(scope).base_url).rstrip("/")  # type: ignore[arg-type]

    middleware = [Middleware(FirstPage, **OURS, root_of=root_of)]
    app = Starlette(routes=[Route("/", gradio.answer)], middleware=middleware)
    return TestClient(app, base_url="http://page.example")


def test_the_page_is_made_once_however_it_is_asked_for(client: TestClient, gradio: _Gradio) -> None:
    for number in range(50):
        answer = client.get(f"/?a={number}", headers={"Host": f"host{number}.example"})
        assert f'root = "http://host{number}.example"' in answer.text
    assert client.head("/").status_code == 200
    assert gradio.made == 1


def test_what_is_added_to_it(client: TestClient) -> None:
    text = client.get("/").text
    assert text.startswith('<html lang="zh-CN"><head><style></style></head>')
    said = re.search(r"<noscript>(.*)</noscript>", text)
    assert said is not None
    assert re.search(r'<p lang="zh-CN">[^<]*需要 JavaScript', said[1])
    assert re.search(r'<p lang="en">[^<]*needs JavaScript', said[1])
    assert "page.invalid" not in text


def test_ours_comes_first_and_its_script_learns_what_gradio_would_load(client: TestClient) -> None:
    text = client.get("/").text
    assert text.index('class="mini-gpt"') < text.index("mg-data") < text.index("Gradio")
    assert "crossorigin" not in text
    found = re.search(r'<script type="application/json" id="mg-data">(.*?)</script>', text)
    assert found is not None
    assert json.loads(found[1]) == {
        **OURS["data"],
        "gradio": {"scripts": ["./assets/index.js"], "styles": ["./assets/index.css"]},
    }


def test_it_is_packed_for_who_can_unpack_it(client: TestClient) -> None:
    with client.stream("GET", "/", headers={"Accept-Encoding": "gzip"}) as packed:
        content = b"".join(packed.iter_raw())
        assert packed.headers["content-encoding"] == "gzip"
    plain = client.get("/", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(content) == plain.content


def test_its_policy_names_the_script_with_the_address(client: TestClient) -> None:
    one, other = (
        client.get("/", headers={"Host": host}).headers["content-security-policy"]
        for host in ("a.example", "b.example")
    )
    assert "sha256-" in one
    assert one != other


def test_a_page_that_could_not_be_made_is_tried_again() -> None:
    tries: list[int] = []

    async def fails_once(request: Request) -> HTMLResponse:
        tries.append(1)
        return HTMLResponse(PAGE, status_code=500 if len(tries) == 1 else 200)

    middleware = [Middleware(FirstPage, **OURS, root_of=lambda scope: "x")]
    app = Starlette(routes=[Route("/", fails_once)], middleware=middleware)
    client = TestClient(app, raise_server_exceptions=False)
    assert client.get("/").status_code == 500
    assert client.get("/").status_code == 200
