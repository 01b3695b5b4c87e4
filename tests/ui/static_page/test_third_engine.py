"""The engine in the browser beside the server's two, where the assembled page is served."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from export.runtimes.onnx_runtime import onnxruntime_runner
from export.shipped import FILES
from tests.ui.conftest import Watched
from tests.ui.reading import open_more
from tests.ui.started import StartedServer, started


@pytest.fixture(scope="module")
def with_page(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedServer]:
    """A page that has the assembled files, and so a third engine."""
    log = tmp_path_factory.mktemp("third") / "log.txt"
    running = started(log, MINI_GPT_PAGE=str(folder))
    yield running
    running.stop()


@pytest.fixture
def third(browser: Any, with_page: StartedServer) -> Iterator[Any]:
    context = browser.new_context(locale="en-US")
    context.set_default_timeout(60_000)
    page = context.new_page()
    watching = Watched(with_page.url.split("/")[2])
    watching.watch(page)
    page.goto(f"{with_page.url}?v=1&lang=en&panel=runtimes")
    page.locator(".mg-bars tbody tr").first.wait_for()
    yield page
    context.close()
    watching.check()


@pytest.mark.long("an engine in the browser")
def test_the_third_engine_computes_here_and_says_how_far_it_is_off(third: Any) -> None:
    asked: list[str] = []
    open_more(third).get_by_text("In your browser", exact=True).click()
    third.wait_for_function("document.querySelector('.mg-difference').textContent.match(/⁻[⁷⁸]/)")
    third.on("request", lambda request: asked.append(request.post_data or ""))
    third.locator('.mg-palette button:has-text("猫")').click()
    logits = onnxruntime_runner(FILES / "mini_gpt_teaching.onnx")(np.array([[1, 4]]))["logits"]
    third.wait_for_function(
        "(text) => document.querySelector('.mg-logit').textContent === text",
        arg=f"{logits[0, -1, 0]:.4f}".replace("-", "−"),
    )
    assert not any('"view"' in body and '"browser"' in body for body in asked)
    assert "engine=browser" in third.url

    # What only the server can work out it works out.
    third.locator('[data-stage="logits"] [role="gridcell"]').last.click()
    third.locator(".mg-card .mg-line-text").first.wait_for()
    third.get_by_role("tab", name="Prompts").click()
    third.locator(".mg-prompts tbody tr").first.wait_for()
    assert not third.get_by_role("alert").get_by_text("engine").is_visible()

    third.get_by_role("tab", name="Engines").click()
    link = third.get_by_role("link", name="Open the page that needs no server")
    link.wait_for()
    with third.context.expect_page() as opened:
        link.click()
    opened.value.locator(".mg-bars tbody tr").first.wait_for()
    assert "/in-browser/" in opened.value.url
