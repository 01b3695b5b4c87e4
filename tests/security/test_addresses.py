"""Whatever stands in the address or is typed: nothing of it runs, and the page stays usable."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.fuzz.junk import NASTY_TEXTS
from tests.ui.conftest import Watched
from tests.ui.reading import open_more
from tests.ui.started import StartedServer

KEYS = ("tokens", "drawn", "engine", "lang", "model", "stage", "cell", "edits")
MORE_KEYS = ("switches", "sampling", "panel", "__theme", "view", "x")

_PROTOTYPE = (
    "stage=__proto__&cell=0.0",
    "stage=constructor&panel=constructor",
    "stage=blocks.0.query&cell=99.99",
    "stage=logits&cell=0.0.0.0.0.0",
    "edits=__proto__~polluted~1",
    "edits=constructor~prototype~1*lm_head.weight~__proto__~1",
    "switches=__proto__~true*polluted~true",
    "model=own:zzzz&tokens=0-1",
    "model=own:00000000000000000000000000000000&tokens=0-1",
    "tokens=4-4-4-4-4-4-4-4-4-4&panel=__proto__&drawn=7",
    "edits=lm_head.weight~0.0~1e308&tokens=0-1",
    "switches=dropout~0.9999999&sampling=sample~0~0~1~0",
    "tokens=" + "-".join(["1"] * 256),
    "tokens=" + "-".join(["1"] * 257),
)
_SAFE_LENGTH = 900  # written in an address; with all keys, servers refuse more than 16 KiB


def _of_text(text: str) -> str:
    """An address that has `text` wherever one can stand."""
    kept = text
    while len(quote(kept)) > _SAFE_LENGTH:
        kept = kept[: len(kept) * 9 // 10]
    return "&".join(f"{key}={quote(kept)}" for key in KEYS + MORE_KEYS)


ADDRESSES = [*_PROTOTYPE, *map(_of_text, NASTY_TEXTS)]


@pytest.fixture
def nasty_page(browser: Any, server: StartedServer) -> Any:
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    watched = Watched(f"127.0.0.1:{server.port}")
    watched.watch(page)
    page.watched = watched
    yield page
    context.close()


def _check(page: Any) -> None:
    open_more(page).locator(".mg-typing-input").wait_for()
    page.wait_for_timeout(100)
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("({}).polluted") is None
    assert page.locator(".mini-gpt :is(script, iframe, object, embed, img)").count() == 0
    page.watched.check()


def _visit(page: Any, server: StartedServer, addresses: list[str]) -> None:
    for address in addresses:
        page.goto(f"{server.url}?v=1&{address}")
        _check(page)


def test_nothing_of_an_address_or_of_what_is_typed_runs(
    nasty_page: Any, server: StartedServer
) -> None:
    """One address of each kind; every text typed."""
    _visit(nasty_page, server, [_PROTOTYPE[0], _PROTOTYPE[4], _of_text(NASTY_TEXTS[2])])
    field = open_more(nasty_page).locator(".mg-typing-input")
    for text in NASTY_TEXTS:
        field.fill(text[:1_000])
        field.press("Enter")
        nasty_page.wait_for_timeout(20)
    _check(nasty_page)


@pytest.mark.long("a page load for each of 43 addresses")
@pytest.mark.parametrize("part", range(3))
def test_no_address_runs_anything_or_breaks_the_page(
    nasty_page: Any, server: StartedServer, part: int
) -> None:
    _visit(nasty_page, server, ADDRESSES[part::3])
