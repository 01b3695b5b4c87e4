"""The first visit: the lesson's prompt A is there, with its numbers, and nothing else is asked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from tests.ui.reading import PROMPT_A, bars, chips, palette


def test_a_first_visit_shows_prompt_a_with_its_numbers(page: Any) -> None:
    assert chips(page) == ["我", "喜欢"]
    assert bars(page) == PROMPT_A
    assert page.url.count("?") == 0


def test_the_first_numbers_cost_no_round_trip(browser: Any, server: Any, watched: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    watched.watch(page)
    page.route("**/component_server/", lambda route: None)  # no call is ever answered
    page.goto(server.url)
    page.locator(".mg-bars tbody tr").first.wait_for()
    assert bars(page) == PROMPT_A
    context.close()


def test_modules_are_asked_for_before_gradio_has_started(
    browser: Any, server: Any, watched: Any
) -> None:
    context = browser.new_context()
    page = context.new_page()
    watched.watch(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.url)
    page.locator(".mg-bars tbody tr").first.wait_for()
    modules = [url for url in asked if "/web/" in url]
    assert len(modules) == len(set(modules)), "a module is loaded once"
    html_component = next(at for at, url in enumerate(asked) if "/assets/HTML-" in url)
    late = [url for url in asked[html_component:] if "/web/" in url and url.endswith(".js")]
    assert late == []
    context.close()


def test_the_five_words_are_buttons_and_the_bars_a_table(page: Any) -> None:
    names = palette(page).get_by_role("button").all_inner_texts()
    assert [name.split()[0] for name in names] == list(PROMPT_A)
    table = page.get_by_role("table", name="下一个词的概率和 logit")
    assert table.get_by_role("columnheader").all_inner_texts() == ["下一个词", "概率", "logit"]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 900), (1920, 1080)])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_is_wider_than_the_screen(
    open_page: OpenPage, width: int, height: int, dark: bool, language: str
) -> None:
    query = f"?lang={language}&tokens={'-'.join(['1'] * 40)}&sampling=sample~1~0~1~0"
    page = open_page(query, width=width, height=height, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(("width", "part"), [(390, ".mg-palette"), (1280, ".mg-bars")])
def test_the_sentence_bar_stays_in_view(open_page: OpenPage, width: int, part: str) -> None:
    page = open_page(width=width)
    page.evaluate(
        """() => {
            const tall = document.createElement("div");
            tall.style.height = "4000px";
            document.querySelector(".mg-main").append(tall);
        }"""
    )
    page.mouse.wheel(0, 2500)
    page.wait_for_function("window.scrollY > 1500")
    for name in (".mg-chips", part):
        box = page.locator(name).bounding_box()
        assert 0 <= box["y"] <= 300


def test_touch_targets_are_large_enough(open_page: OpenPage) -> None:
    page = open_page("?sampling=sample~1~0~1~0", width=390, height=844, has_touch=True)
    small = page.locator(
        ".mg-header button, .mg-sentence button, .mg-sentence input:not([type=radio]),"
        " .mg-sentence .mg-segment"
    ).evaluate_all(
        """elements => elements.filter((element) => element.offsetParent)
            .map((element) => [element.className, element.getBoundingClientRect()])
            .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
            .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
    )
    assert small == []


def test_motion_is_off_for_who_asks_for_it(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    bar = page.locator(".mg-bar").first
    assert bar.evaluate("bar => getComputedStyle(bar).transitionDuration") == "0s"


def test_a_module_that_does_not_come_is_explained(browser: Any, server: Any, watched: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    watched.watch(page)
    watched.allow("ERR_FAILED")
    watched.allow("Failed to fetch dynamically imported module")
    page.route("**/viewer.js", lambda route: route.abort())
    page.goto(server.url)
    page.get_by_text("页面没有载入完整，请刷新。").wait_for()
    context.close()


@pytest.mark.parametrize(("width", "bar"), [(390, ".mg-write"), (1280, ".mg-sentence")])
def test_what_gets_the_focus_is_not_under_the_sentence_bar(
    open_page: OpenPage, width: int, bar: str
) -> None:
    page = open_page(width=width)
    page.locator(".mg-footer button").focus()
    page.wait_for_function("window.scrollY > 500")
    page.locator(".mg-tab").first.focus()
    page.wait_for_function(
        """bar => {
            const above = document.querySelector(bar).getBoundingClientRect();
            const tab = document.querySelector(".mg-tab").getBoundingClientRect();
            return tab.top >= above.bottom - 1;
        }""",
        arg=bar,
    )
