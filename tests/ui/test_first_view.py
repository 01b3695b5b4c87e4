"""The first visit in a real browser: what is loaded, in which order, and what if it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.ui.reading import PROMPT_A, bars, chips
from tests.ui.started import StartedServer, free_port
from tests.ui.visits import LOCALE
from ui.modules import SOURCES

TITLES = {
    "zh-CN": "MiniGPT：一个能用铅笔验算的 GPT",
    "en": "MiniGPT: a GPT you can check with a pencil",
}


def test_the_first_numbers_cost_no_round_trip_and_do_not_wait_for_gradio(
    browser: Any, server: Any, watched: Any
) -> None:
    context = browser.new_context(locale=LOCALE)
    page = context.new_page()
    watched.watch(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/component_server", lambda route: None)  # no call is ever answered
    page.goto(server.url)
    page.locator(".mg-bars tbody tr").first.wait_for()
    assert (chips(page), bars(page)) == (["我", "喜欢"], PROMPT_A)
    assert page.url.count("?") == 0
    ours = [url for url in asked if "/web/" in url]
    assert len(ours) == len(set(ours)), "a file is loaded once"
    assert ours[0].endswith("/bundle/start.js")
    page.wait_for_timeout(2_000)
    assert len([url for url in asked if "/web/" in url]) <= 12
    assert not [url for url in asked if "/assets/" in url], "Gradio's frontend was loaded"
    context.close()


def test_a_module_that_does_not_come_is_explained(browser: Any, server: Any, watched: Any) -> None:
    context = browser.new_context(locale=LOCALE)
    page = context.new_page()
    watched.watch(page)
    watched.allow("ERR_FAILED")
    watched.allow("Failed to fetch dynamically imported module")
    page.route("**/start.js", lambda route: route.abort())
    page.goto(server.url)
    page.get_by_text("页面没有加载完整，请刷新。").wait_for()
    context.close()


@pytest.mark.long("a server of its own")
def test_the_sources_can_be_served_while_working(
    browser: Any, tmp_path: Path, watched: Any
) -> None:
    server = StartedServer(free_port(), tmp_path / "log.txt", {SOURCES: "1"})
    server.start()
    watched.host = urlsplit(server.url).netloc
    try:
        context = browser.new_context(locale=LOCALE)
        page = context.new_page()
        watched.watch(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(server.url + "?v=1&panel=compare")
        page.locator("#mg-panel-compare h2").wait_for()
        assert bars(page) == PROMPT_A
        assert not [url for url in asked if "/bundle/" in url]
        context.close()
    finally:
        server.stop()


def test_an_address_opens_the_api_docs_and_keeps_the_theme(
    browser: Any, server: Any, watched: Any
) -> None:
    context = browser.new_context(color_scheme="dark", locale=LOCALE)
    page = context.new_page()
    watched.watch(page)
    watched.allow("404 (Not Found)")  # Gradio asks for its monitoring and MCP, which are off
    page.goto(server.url + "?view=api")
    page.locator(".api-docs").get_by_text("/next_token", exact=True).first.wait_for()
    assert page.evaluate("document.body.classList.contains('dark')")
    assert page.title() == TITLES["zh-CN"]
    context.close()


@pytest.mark.parametrize(("locale", "tag"), [("en-GB", "en"), ("zh-TW", "zh-CN"), ("fr", "zh-CN")])
def test_a_first_visit_is_in_the_browsers_language(
    browser: Any, server: Any, watched: Any, locale: str, tag: str
) -> None:
    context = browser.new_context(locale=locale)
    page = context.new_page()
    watched.watch(page)
    page.goto(server.url)
    page.locator(".mg-bars tbody tr").first.wait_for()
    assert page.evaluate("document.documentElement.lang") == tag
    assert page.title() == TITLES[tag]
    assert (bars(page), page.url.count("?")) == (PROMPT_A, 0)
    context.close()


def test_without_javascript_each_language_is_marked_as_one(browser: Any, server: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.url)
    said = {text.get_attribute("lang"): text.inner_text() for text in page.locator("p").all()}
    assert said.keys() == TITLES.keys()
    assert "JavaScript" in said["zh-CN"]
    assert "JavaScript" in said["en"]
    context.close()
