"""No file outside what is served can be read, by any of Gradio's routes or by ours."""

from __future__ import annotations

import http.client
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.ui.started import ROOT, StartedServer
from ui import modules, serving
from ui.serving import routes
from ui.static_page import runtime_files, served
from ui.static_page.assemble import assemble
from ui.texts import strings, style

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
    status, body = _get(server, f"/web/{modules.entry()}")
    assert (status, body) == (200, (ROOT / "web" / modules.entry()).read_bytes())


NOT_THE_PAGES = (
    ".env",
    ".page.js.swp",
    "page.js~",
    "#page.js#",
    "page.js.orig",
    "page copy.js",
    "notes.txt",
    "scratch.js",
    "css/.hidden.css",
    "panels/.#shell.js",
    "panels/link.js",
    "bundle/panels/link.js",
    "bundle/.start.js.swp",
    "static/.en.json",
    "up/outside.js",
)
"""What lies in a folder somebody works in, ignored by Git or not."""


@pytest.fixture
def worked_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of `web/` with more in it than the page has."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "outside.js").write_text("secret")
    web = tmp_path / "web"
    shutil.copytree(ROOT / "web", web)
    (web / "up").symlink_to(outside)
    for folder in ("panels", "bundle/panels"):
        (web / folder / "link.js").symlink_to(outside / "outside.js")
    for name in NOT_THE_PAGES:
        if not (web / name).exists():
            (web / name).write_text("secret {}")
    monkeypatch.setattr(modules, "WEB", web)
    caches = (modules.contents, modules.stamp, serving._packed)
    for cached in caches:
        cached.cache_clear()
    yield web
    for cached in caches:
        cached.cache_clear()


@pytest.mark.parametrize("name", NOT_THE_PAGES)
def test_only_the_pages_own_files_are_served(worked_in: Path, name: str) -> None:
    assert "secret" in (worked_in / name).read_text()
    client = TestClient(Starlette(routes=routes()), raise_server_exceptions=False)
    for place in ("", f"{modules.stamp()}/", "0123456789ab/"):
        answer = client.get(f"/web/{place}{quote(name)}")
        assert answer.status_code != 200
        assert "secret" not in answer.text
        assert client.get(f"/web/{place}{modules.entry()}").status_code == 200


def test_what_lies_beside_changes_neither_the_page_nor_its_stamp(worked_in: Path) -> None:
    changed = (modules.contents(), modules.stamp(), style(), strings())
    for name in NOT_THE_PAGES:
        (worked_in / name).unlink()
    modules.contents.cache_clear()
    modules.stamp.cache_clear()
    plain = (modules.contents(), modules.stamp(), style(), strings())
    assert changed == plain


def test_a_link_in_place_of_one_of_the_pages_own_is_not_followed(worked_in: Path) -> None:
    entry = modules.entry()
    (worked_in / entry).unlink()
    (worked_in / entry).symlink_to(worked_in.parent / "outside/outside.js")
    modules.contents.cache_clear()
    assert entry not in modules.contents()


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


NOT_THE_ASSEMBLED_PAGES = (
    ".env",
    "web/.page.js.swp",
    "index.html~",
    "notes.txt",
    "files/own.onnx",
    "link.js",
    "up/outside.js",
    "web",
)
"""What may lie in the folder of the page without a server; `web` is a folder of its own files."""


@pytest.fixture
def assembled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, set[str], TestClient]:
    """The folder of an assembled page, the names of its files, and a client of what serves it."""
    monkeypatch.setattr(runtime_files, "contents", lambda: {"ort.mjs": b"from npm"})
    folder, outside = tmp_path / "site", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "outside.js").write_text("secret")
    names = set(assemble(folder))
    (folder / "up").symlink_to(outside)
    (folder / "link.js").symlink_to(folder / "page.json")
    for name in NOT_THE_ASSEMBLED_PAGES:
        if not (folder / name).exists():
            (folder / name).write_text("secret")
    monkeypatch.setenv("MINI_GPT_PAGE", str(folder))
    client = TestClient(Starlette(routes=served.routes()), raise_server_exceptions=False)
    return folder, names, client


def test_only_the_assembled_pages_own_files_are_served(
    assembled: tuple[Path, set[str], TestClient],
) -> None:
    folder, names, client = assembled
    for name in sorted(names):
        answer = client.get(f"/in-browser/{name}")
        assert (answer.status_code, answer.content) == (200, (folder / name).read_bytes())
    assert client.get("/in-browser/").content == (folder / "index.html").read_bytes()
    for name in NOT_THE_ASSEMBLED_PAGES:
        assert (folder / name).exists()
        for spelled in (name, f"./{name}", f"web/../{name}", f"{name}/", quote(name, safe="")):
            assert client.get(f"/in-browser/{spelled}").status_code == 404, spelled


def test_a_link_in_place_of_a_file_of_the_assembled_page_is_not_followed(
    assembled: tuple[Path, set[str], TestClient],
) -> None:
    folder, _, client = assembled
    for name in ("page.json", "service_worker.js", "web/dom.js"):
        (folder / name).unlink()
        (folder / name).symlink_to(folder / "index.html")
        assert client.get(f"/in-browser/{name}").status_code == 404
    (folder / "web").rename(folder / "elsewhere")
    (folder / "web").symlink_to(folder / "elsewhere")
    assert client.get("/in-browser/web/page.js").status_code == 404
    (folder / "files.json").write_text("{")
    assert client.get("/in-browser/style.css").status_code == 404
