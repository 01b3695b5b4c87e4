"""The line at the end of the page."""

from __future__ import annotations

from typing import Any

from tests.ui.conftest import Watched
from tests.ui.reading import chips, click_word


def test_the_footer_names_the_licence_and_opens_the_description_of_the_endpoints(
    page: Any, watched: Watched
) -> None:
    assert page.locator("footer:visible").count() == 1  # nothing of Gradio's own
    watched.allow("404 (Not Found)")  # Gradio asks for its monitoring and MCP, which are off
    click_word(page, "猫")
    footer = page.locator(".mg-footer")
    assert footer.get_by_text("MIT 许可").is_visible()
    footer.get_by_role("button", name="程序接口 API").click()
    docs = page.locator(".api-docs")
    for name in ("/next_token", "/generate", "/trace"):
        docs.get_by_text(name, exact=True).first.wait_for()
    assert "tokens=0-1-4" in page.url
    assert chips(page) == ["我", "喜欢", "猫"]
