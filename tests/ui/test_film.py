"""The film on the map in a real browser: its numbers, its motion, and the map after it."""

from __future__ import annotations

import re
from typing import Any

from tests.ui.conftest import OpenPage
from ui.views import view

# The texts of the cells that can be read, by stage: not those that a style hides.
_READ = """
() => Object.fromEntries([...document.querySelectorAll(".mg-map-stage")].map((stage) => [
    stage.dataset.stage,
    [...stage.querySelectorAll(".mg-map-digits")]
        .filter((text) => getComputedStyle(text).visibility === "visible")
        .map((text) => text.textContent),
]))
"""
_BARS = ".mg-bars .mg-probability"


def test_the_numbers_at_every_stop_are_the_traces(open_page: OpenPage) -> None:
    page = open_page("?v=1&film=0", reduced_motion="reduce")
    trace = view({"tokens": [0, 1]})["trace"]
    stops = list(page.evaluate(_READ))
    assert len(stops) == 22
    for place, _ in enumerate([*stops, "next_id"]):
        page.wait_for_function("(film) => location.search.includes(`film=${film}`)", arg=place)
        read = page.evaluate(_READ)
        for number, key in enumerate(stops):
            is_silent = re.search("ffn_(hidden|activation)", key)  # 16 narrow cells
            expected = [] if number > place or is_silent else _written(trace[key])
            assert read[key] == expected, f"{key} at stop {place}"
        is_answered = place >= stops.index("vocabulary_probs")
        assert page.locator(_BARS).first.is_visible() == is_answered
        page.keyboard.press("ArrowRight")
    assert page.locator(".mg-film-number").inner_text().endswith("0.4835")


def test_it_moves_over_the_map_and_leaves_it_as_it_was(page: Any) -> None:
    before = page.evaluate(_READ)
    page.get_by_role("button", name="播放一次预测").click()
    page.locator(".mg-film-word").first.wait_for()
    page.locator(".mg-film-copy text").first.wait_for()
    assert page.evaluate(_READ) != before
    travelling = page.evaluate(
        "document.querySelector('.mg-film-layer').getAnimations({subtree: true}).length"
    )
    assert travelling > 0
    page.keyboard.press("Escape")
    page.locator(".mg-film").wait_for(state="hidden")
    assert page.evaluate(_READ) == before
    assert page.locator(".mg-film-layer, .mg-film-winner").count() == 0


def test_on_a_phone_the_present_stop_is_in_view_above_the_bar(open_page: OpenPage) -> None:
    page = open_page("?v=1&film=0", width=390, height=844, reduced_motion="reduce")
    for stop in ("scores", "ffn_update"):
        range_ = page.locator(".mg-film-range")
        while page.locator(f'.mg-film-now[data-stage="blocks.0.{stop}"]').count() == 0:
            range_.press("ArrowRight")
        cells = page.locator(".mg-film-now .mg-map-cells").bounding_box()
        bar = page.locator(".mg-film").bounding_box()
        assert cells["y"] >= 0
        assert cells["y"] + cells["height"] <= bar["y"] + 1
        assert bar["y"] + bar["height"] <= 844 + 1


def test_an_appended_word_has_its_final_values_before_anything_moves(page: Any) -> None:
    page.evaluate(
        """() => {
            window.first = null;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...given) {
                window.first ??= [...document.querySelectorAll(".mg-bars .mg-probability")]
                    .map((one) => one.textContent);
                return animate.apply(this, given);
            };
        }"""
    )
    page.locator(".mg-word").nth(4).click()
    page.wait_for_function("window.first !== null")
    probabilities = view({"tokens": [0, 1, 4]})["probabilities"]
    assert page.evaluate("window.first") == [f"{share:.4f}" for share in probabilities]
    page.wait_for_function("document.getAnimations().length === 0")
    assert page.locator(_BARS).all_inner_texts() == [f"{share:.4f}" for share in probabilities]


def _written(tensor: Any) -> list[str]:
    """The numbers of nested lists as the map writes them; a masked score is None."""
    if isinstance(tensor, list):
        return [text for part in tensor for text in _written(part)]
    if tensor is None:
        return ["\N{MINUS SIGN}∞"]
    text = f"{abs(tensor):.4f}"
    return [f"\N{MINUS SIGN}{text}" if tensor < 0 and float(text) else text]
