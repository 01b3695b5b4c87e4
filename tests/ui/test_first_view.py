"""The first visit in a real browser: what is loaded, in which order, and what if it is not."""

from __future__ import annotations

from typing import Any

from tests.ui.reading import PROMPT_A, bars, chips


def test_the_first_numbers_cost_no_round_trip_and_modules_do_not_wait_for_gradio(
    browser: Any, server: Any, watched: Any
) -> None:
    context = browser.new_context()
    page = context.new_page()
    watched.watch(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/component_server/", lambda route: None)  # no call is ever answered
    page.goto(server.url)
    page.locator(".mg-bars tbody tr").first.wait_for()
    assert (chips(page), bars(page)) == (["我", "喜欢"], PROMPT_A)
    assert page.url.count("?") == 0
    modules = [url for url in asked if "/web/" in url]
    assert len(modules) == len(set(modules)), "a module is loaded once"
    html_component = next(at for at, url in enumerate(asked) if "/assets/HTML-" in url)
    late = [url for url in asked[html_component:] if "/web/" in url and url.endswith(".js")]
    assert late == []
    context.close()


def test_a_module_that_does_not_come_is_explained(browser: Any, server: Any, watched: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    watched.watch(page)
    watched.allow("ERR_FAILED")
    watched.allow("Failed to fetch dynamically imported module")
    page.route("**/viewer.js", lambda route: route.abort())
    page.goto(server.url)
    page.get_by_text("页面没有加载完整，请刷新。").wait_for()
    context.close()
