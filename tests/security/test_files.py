"""No file outside what is served can be read, by any of Gradio's routes or by ours."""

from __future__ import annotations

import http.client
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.ui.started import ROOT, StartedServer
from ui.serving import routes

SECRETS = (ROOT / "app.py", ROOT / "requirements.txt", Path("/etc/passwd"))
"""Files that are there and must not be given out."""

_CLIMB = "../" * 12
_FORMS = (
    "/gradio_api/file={path}",
    "/gradio_api/file/{path}",
    "/file={path}",
    "/file/{path}",
    "/gradio_api/file={climb}{path}",
    "/gradio_api/proxy=file://{path}",
    "/gradio_api/proxy=http://127.0.0.1:{port}/healthz",
    "/gradio_api/file=http://127.0.0.1:{port}/healthz",
    "/gradio_api/stream/{climb}{path}/0/0/playlist-file",
    "/gradio_api/deep_link?session_hash={path}",
    "/gradio_api/custom_component/gr.html/client/{climb}{path}/x",
    "/static/{climb}{path}",
    "/static/{path}",
    "/assets/{climb}{path}",
    "/assets/{path}",
    "/web/{climb}{path}",
    "/web/{path}",
    "/web/000000000000/{climb}{path}",
    "/svelte/{climb}{path}",
    "/theme.css/{climb}{path}",
    "/gradio_api/heartbeat/{climb}{path}",
    "/gradio_api/call/next_token/{climb}{path}",
    "/gradio_api/mcp/{climb}{path}",
    "/{climb}{path}",
    "/pwa_icon/{path}",
    "/manifest.json/{path}",
)
_SPELLINGS = (
    lambda path: path,
    lambda path: quote(path, safe=""),
    lambda path: quote(quote(path, safe=""), safe=""),
    lambda path: path.replace("../", "..%2f"),
    lambda path: path.replace("../", "..\\"),
    lambda path: path.replace("../", "....//"),
    lambda path: path.replace("../", "%c0%ae%c0%ae/"),
)


def _get(server: StartedServer, target: str) -> tuple[int, bytes]:
    """The answer to exactly this request line: a client library would tidy the path."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        connection.putrequest("GET", target, skip_host=False, skip_accept_encoding=True)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read(4_000_000)
    finally:
        connection.close()


@pytest.mark.parametrize("form", _FORMS)
def test_no_form_of_address_reads_a_file(server: StartedServer, form: str) -> None:
    for secret in SECRETS:
        start = secret.read_bytes()[:40]
        for spell in _SPELLINGS:
            climb, path = spell(_CLIMB), spell(str(secret).lstrip("/"))
            for whole in (path, spell(str(secret))):
                status, body = _get(server, form.format(path=whole, climb=climb, port=server.port))
                assert status in (400, 403, 404), (form, status)
                assert start not in body


def test_the_files_of_the_page_are_served(server: StartedServer) -> None:
    """So that the test above does not pass because nothing is."""
    status, body = _get(server, "/web/page.js")
    assert (status, body) == (200, (ROOT / "web/page.js").read_bytes())


def test_a_link_out_of_a_served_folder_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, outside = tmp_path / "served", tmp_path / "outside.js"
    served.mkdir()
    (served / "inside.js").write_text("inside")
    outside.write_text("secret")
    (served / "link.js").symlink_to(outside)
    (served / "up").symlink_to(tmp_path)
    monkeypatch.setattr("ui.serving.WEB", served)
    client = TestClient(Starlette(routes=routes()))
    assert client.get("/web/inside.js").text == "inside"
    for path in ("/web/link.js", "/web/up/outside.js"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "secret" not in answer.text


def test_an_upload_is_taken_nowhere(server: StartedServer) -> None:
    for path in ("/gradio_api/upload", "/upload", "/gradio_api/process_recording"):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        content = (
            b'--b\r\nContent-Disposition: form-data; name="files"; filename="../../x.py"\r\n'
            b"\r\nprint()\r\n--b--\r\n"
        )
        headers = {"Content-Type": "multipart/form-data; boundary=b"}
        connection.request("POST", path, content, headers)
        assert connection.getresponse().status == 404
        connection.close()
