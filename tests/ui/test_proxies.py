"""The page starts where proxies are set, as is usual in China: it asks itself without them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from app import main
from model.errors import InputError
from tests.ui.started import free_port, started
from ui import launching
from ui.options import read_options
from ui.own_address import ask_without_proxy, check_free

_NOBODY = "127.0.0.1:9"  # the discard port: no proxy answers there
VARIANTS = [
    {"http_proxy": f"http://{_NOBODY}", "HTTP_PROXY": f"http://{_NOBODY}"},
    {"all_proxy": f"socks5://{_NOBODY}", "ALL_PROXY": f"socks5://{_NOBODY}"},
    {"http_proxy": f"http://{_NOBODY}", "no_proxy": "::1/128,10.0.0.0/8"},
    {"https_proxy": "proxy:http", "NO_PROXY": "localhost,::1/128"},
]


@pytest.fixture
def listener() -> Iterator[int]:
    """A port of this machine that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: ", ".join(variant))
def test_no_client_of_the_process_has_a_proxy(
    variant: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "")  # put back after the test
    for name, value in variant.items():
        monkeypatch.setenv(name, value)
    before = _mounts()
    assert before != {}, "this variant is none"
    ask_without_proxy()
    assert _mounts() == {}


def _mounts() -> object:
    """The proxies of a new client, or what it raises."""
    try:
        with httpx.Client() as client:
            return client._mounts
    except (ImportError, httpx.InvalidURL) as error:
        return error


def test_the_page_starts_with_all_of_them(tmp_path_factory: pytest.TempPathFactory) -> None:
    environment: dict[str, str] = {}
    for variant in VARIANTS:
        environment |= variant
    log = tmp_path_factory.mktemp("proxies") / "log.txt"
    server = started(log, **environment)
    try:
        assert server.answers()
        assert "Traceback" not in log.read_text(encoding="utf-8")
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("language", "said"), [("zh", "无法监听 127.0.0.1 的端口"), ("en", "Cannot listen on")]
)
def test_a_port_that_is_taken_is_one_sentence(
    listener: int, language: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--host", "127.0.0.1", "--port", str(listener), "--lang", language]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid", "." * 300, "我" * 99])
def test_an_address_that_is_not_this_machines_is_refused(host: str) -> None:
    with pytest.raises(InputError) as caught:
        check_free(host, free_port())
    assert caught.value.code == "port_taken"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_a_free_address_is_taken(host: str) -> None:
    check_free(host, free_port())


def test_gradios_refusal_to_start_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise ValueError("When localhost is not accessible, a shareable link must be created.")

    monkeypatch.setattr(launching, "_launch", fail)
    blocks: Any = SimpleNamespace(queue=lambda **_: None)
    with pytest.raises(InputError, match="cannot reach its own address"):
        launching.launch(blocks, read_options([], {}))
