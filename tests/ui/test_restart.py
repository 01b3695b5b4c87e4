"""A server that dies and comes back under an open page loses nothing of the person's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.ui.conftest import OpenPage, Watched
from tests.ui.reading import (
    alert,
    chips,
    click_word,
    open_more,
    press,
    wait_for_alert,
    wait_for_bar,
    wait_for_count,
)
from tests.ui.started import StartedServer, started

LOST = "与服务器的连接断了。你的句子还在"


@pytest.fixture
def mortal(tmp_path: Path, watched: Watched) -> Iterator[StartedServer]:
    """A server of the test's own, to be stopped and started."""
    running = started(tmp_path / "log.txt")
    watched.host = urlsplit(running.url).netloc
    for expected in ("Failed to fetch", "net::ERR_", "Could not connect"):
        watched.allow(expected)
    yield running
    running.stop()


@pytest.mark.long("a server that ends and starts twice")
def test_nothing_is_lost_while_the_server_is_away(
    open_page: OpenPage, mortal: StartedServer
) -> None:
    page: Any = open_page(url=mortal.url)
    open_more(page).get_by_label("生成多少个词").fill("64")
    press(page, "连续生成")
    page.wait_for_function('document.querySelectorAll(".mg-chip").length >= 5')
    mortal.stop()
    wait_for_alert(page, LOST)
    kept = chips(page)
    click_word(page, "猫")
    click_word(page, "喜欢")
    assert chips(page) == [*kept, "猫", "喜欢"]
    page.locator(".mini-gpt.mg-late").wait_for()  # the numbers are of an earlier sentence
    mortal.start()
    wait_for_bar(page, "学习", "0.5897", "2.6821")
    page.wait_for_function('document.querySelector(".mg-alert-text").textContent === ""')
    assert page.locator(".mini-gpt.mg-late").count() == 0
    mortal.stop()
    mortal.start()  # while nothing is asked
    press(page, "让模型接一个词")
    wait_for_count(page, len(kept) + 3)
    assert chips(page)[:-1] == [*kept, "猫", "喜欢"]
    assert alert(page) == ""
