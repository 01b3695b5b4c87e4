"""The map in a real browser: room, contrast, what a mouse, fingers and a keyboard find."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import OpenPage
from ui.modules import WEB

WIDTHS = [390, 768, 1280, 1920]
MINUS = "\N{MINUS SIGN}"


def test_a_mouse_and_a_keyboard_find_every_value(page: Any) -> None:
    _pointing_shows_what_is_there(page)
    _tab_and_arrows_lead_in(page, ["ArrowDown"] * 7, "position_embeddings&cell=1.2")
    _the_focus_is_never_under_what_sticks_to_the_top(page)


def test_fingers_and_a_keyboard_find_every_value(open_page: OpenPage) -> None:
    page = open_page(width=390, has_touch=True)
    page.locator('[data-stage="residual_0"] [role=gridcell]').nth(5).tap()
    page.wait_for_function("location.search.includes('stage=residual_0&cell=1.1')")
    word = page.locator("button.mg-map-word").first
    box = word.bounding_box()
    assert box["width"] >= 44
    assert box["height"] >= 44
    word.tap()
    assert word.get_attribute("aria-pressed") == "true"
    heights = page.locator(".mg-map-heading").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert min(heights) >= 44


def test_a_keyboard_walks_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(width=390)
    _tab_and_arrows_lead_in(page, ["ArrowDown"] * 2, "token_embeddings&cell=1.1")


def _pointing_shows_what_is_there(page: Any) -> None:
    tooltip = page.get_by_role("tooltip")
    cell = page.locator('[data-stage="blocks.0.attention_update"] [role=gridcell]').nth(6)
    cell.hover()
    place = "喜欢（位置 1），通道 2"
    told = ["注意力更新 attention_update", place, f"{MINUS}1.4326"]
    assert tooltip.locator("div").all_inner_texts() == told
    page.mouse.move(5, 5)
    tooltip.wait_for(state="hidden")
    link = page.locator('.mg-map-link[data-head="0"][data-from="0"][data-to="1"]')
    x, y = link.locator(".mg-map-core").evaluate(
        """path => {
            const point = path.getPointAtLength(path.getTotalLength() / 2);
            const box = path.ownerSVGElement.getBoundingClientRect();
            return [box.left + point.x, box.top + point.y];
        }"""
    )
    page.mouse.move(x, y)
    assert "0.1575" in tooltip.inner_text()
    page.mouse.click(x, y)
    page.wait_for_function("location.search.includes('stage=blocks.0.attention_probs&cell=0.1.0')")


def _tab_and_arrows_lead_in(page: Any, steps: list[str], opened: str) -> None:
    page.locator("button.mg-map-word").last.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "词嵌入 token_embeddings"
    for key in [*steps, "ArrowRight"]:
        page.keyboard.press(key)
    assert page.get_by_role("tooltip").is_visible()
    assert page.locator(".mg-map-ring-focus").is_visible()
    page.keyboard.press("Enter")
    page.wait_for_function(f"location.search.includes('stage={opened}')")
    page.keyboard.press("Escape")
    page.get_by_role("tooltip").wait_for(state="hidden")


def _the_focus_is_never_under_what_sticks_to_the_top(page: Any) -> None:
    page.locator('[data-stage="vocabulary_probs"] [role=gridcell]').last.focus()
    page.evaluate("window.scrollBy(0, 700)")
    for _ in range(6):
        page.keyboard.press("ArrowUp")
    on_top = page.evaluate(
        """() => {
            const { left, top, width, height } = document.activeElement.getBoundingClientRect();
            const found = document.elementFromPoint(left + width / 2, top + height / 2);
            return document.activeElement.contains(found);
        }"""
    )
    assert on_top


@pytest.mark.parametrize("width", WIDTHS)
def test_the_road_runs_right_and_on_a_phone_down(open_page: OpenPage, width: int) -> None:
    page = open_page(width=width)
    stops = ["token_embeddings", "residual_0", "blocks.0.residual_after_attention", "final_hidden"]
    boxes = [page.locator(f'[data-stage="{stop}"] [role=grid]').bounding_box() for stop in stops]
    along, across = ("y", "x") if width < 720 else ("x", "y")
    if width not in (768,):  # where the road goes on in a second line
        assert [box[along] for box in boxes] == sorted(box[along] for box in boxes)
        assert max(box[across] for box in boxes) - min(box[across] for box in boxes) < 1
    assert page.evaluate("document.documentElement.scrollWidth") == width
    overflow = page.locator(".mg-map-scroll").evaluate("one => one.scrollWidth - one.clientWidth")
    assert overflow <= 0


@pytest.mark.parametrize("dark", [False, True])
def test_every_digit_and_name_can_be_read(open_page: OpenPage, dark: bool) -> None:
    """Contrast of at least 4.5 (WCAG AA), measured on what the browser computed: of three
    prompts, then of a hundred steps of each scale, through the cells themselves."""
    page = open_page(dark=dark)
    for tokens in ("4-1", "2-3", "0-1"):
        page.goto(f"{page.url.partition('?')[0]}?tokens={tokens}")
        page.locator(".mg-map-cell").first.wait_for()
        contrasts: list[tuple[str, float]] = page.evaluate(CONTRASTS)
        assert len(contrasts) > 150
        assert [pair for pair in contrasts if pair[1] < 4.5] == [], tokens
    source = (WEB / "colours.js").read_text(encoding="utf-8")
    page.route(
        "**/colours.js", lambda route: route.fulfill(body=source, content_type="text/javascript")
    )
    page.evaluate(HUNDRED_STEPS)
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > 1500
    assert [pair for pair in contrasts if pair[1] < 4.5] == []


CONTRASTS = """() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const luminance = (colour) => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one, other) => {
        const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const fill = (node) => getComputedStyle(node).fill;
    const found = [];
    for (const digits of document.querySelectorAll(".mg-map-digits")) {
        const cell = digits.parentNode.querySelector("rect");
        found.push([digits.textContent, contrast(fill(digits), fill(cell))]);
    }
    const panel = fill(document.querySelector(".mg-map-panel"));
    const style = getComputedStyle(document.querySelector(".mini-gpt"));
    for (const tag of document.querySelectorAll(".mg-map-tag, .mg-map-title"))
        for (const ground of [panel, style.getPropertyValue("--mg-page")])
            found.push([tag.textContent, contrast(fill(tag), ground)]);
    for (const text of document.querySelectorAll(".mg-map-name, .mg-map-term")) {
        const ground = getComputedStyle(text.parentNode).backgroundColor;
        found.push([text.textContent, contrast(getComputedStyle(text).color, ground)]);
    }
    const ribbon = fill(document.querySelector(".mg-map-ribbon"));
    for (const road of document.querySelectorAll(".mg-map-road-name"))
        found.push([road.textContent, contrast(fill(road), ribbon)]);
    return found;
}"""

HUNDRED_STEPS = """async () => {
    const { valueColour, probabilityColour } = await import(
        new URL("colours.js", document.baseURI));
    const steps = 100;
    for (const cell of document.querySelectorAll(".mg-map-cell:first-of-type:has(text)")) {
        const { scale } = cell.closest(".mg-map-stage").dataset;
        for (let step = 0; step < steps; step += 1) {
            const share = step / (steps - 1);
            const copy = cell.cloneNode(true);
            copy.style.setProperty("--cell", scale === "probability"
                ? probabilityColour(share) : valueColour(2 * share - 1, 1));
            cell.after(copy);
        }
    }
}"""
