"""The map in a real browser: true values, names, pointing, keyboard, both ways of the road."""

from __future__ import annotations

from typing import Any

import pytest

from model.trace import trace_shapes
from tests.ui.conftest import OpenPage
from tests.ui.reading import click_word
from ui.views import view

WIDTHS = [390, 768, 1280, 1920]
PROMPT_A = [0, 1]
MINUS = "\N{MINUS SIGN}"
READ_CELLS = """stage => [...document.querySelectorAll(`[data-stage="${stage}"] [role=gridcell]`)]
    .map(cell => cell.getAttribute("aria-label"))"""


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("tokens", [[0, 1], [4, 1], [3], [2, 2]])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_cell_of_every_value_is_there_and_true(
    open_page: OpenPage, tokens: list[int], language: str, width: int
) -> None:
    page = open_page(f"?v=1&tokens={'-'.join(map(str, tokens))}&lang={language}", width=width)
    page.locator(".mg-map-cell").first.wait_for()
    trace = view({"tokens": tokens})["trace"]
    assert list(trace) == list(trace_shapes(1))
    for stage, tensor in trace.items():
        names: list[str] = page.evaluate(READ_CELLS, stage)
        shown = [name.rsplit(": ", 1)[1].split(" ")[0] for name in names]
        assert shown == [written(value) for value in flat(tensor)], stage


def test_the_digits_in_the_cells_are_the_values(page: Any) -> None:
    trace = view({"tokens": PROMPT_A})["trace"]
    for stage in ("residual_0", "blocks.0.attention_probs", "blocks.0.residual_after_ffn"):
        cells = page.locator(f'[data-stage="{stage}"] [role=gridcell] text').all_text_contents()
        assert cells == [written(value) for value in flat(trace[stage])]


def test_links_are_as_wide_as_their_probabilities(page: Any) -> None:
    probabilities = view({"tokens": PROMPT_A})["trace"]["blocks.0.attention_probs"]
    links = page.locator(".mg-map-link").evaluate_all(
        """links => links.map(link => ({
            ...link.dataset,
            shown: link.getBoundingClientRect().width > 0,
            width: Number(link.querySelector(".mg-map-band").getAttribute("stroke-width")),
            opacity: Number(link.querySelector(".mg-map-band").getAttribute("stroke-opacity")),
        }))"""
    )
    assert len(links) == 8
    full = max(link["width"] for link in links)
    for link in links:
        head, looker, seen = (int(link[key]) for key in ("head", "to", "from"))
        probability = probabilities[head][looker][seen]
        assert link["shown"] == (probability > 0)
        assert link["opacity"] == pytest.approx(probability)
        assert link["width"] == pytest.approx(probability * full)


@pytest.mark.parametrize(
    ("language", "title", "place"),
    [
        ("zh", "注意力更新 attention_update", "喜欢（位置 1）, 通道 2"),
        ("en", "Update attention_update", "喜欢 (position 1), channel 2"),
    ],
)
def test_pointing_at_a_cell_shows_what_it_is(
    open_page: OpenPage, language: str, title: str, place: str
) -> None:
    page = open_page(f"?v=1&lang={language}")
    cell = page.get_by_role("grid", name=title).get_by_role("gridcell", name=place)
    cell.hover()
    tooltip = page.get_by_role("tooltip")
    assert tooltip.locator("div").all_inner_texts() == [title, place, f"{MINUS}1.4326"]
    page.mouse.move(5, 5)
    tooltip.wait_for(state="hidden")


def test_pointing_at_a_link_shows_its_probability(page: Any) -> None:
    link = page.locator('.mg-map-link[data-head="0"][data-from="0"][data-to="1"]')
    x, y = link.locator(".mg-map-core").evaluate(
        """path => {
            const point = path.getPointAtLength(path.getTotalLength() / 2);
            const box = path.ownerSVGElement.getBoundingClientRect();
            return [box.left + point.x, box.top + point.y];
        }"""
    )
    page.mouse.move(x, y)
    tooltip = page.get_by_role("tooltip")
    assert "头 1, 喜欢（位置 1）看 我（位置 0）" in tooltip.inner_text()
    assert "0.1575" in tooltip.inner_text()
    page.mouse.click(x, y)
    page.wait_for_function("location.search.includes('stage=blocks.0.attention_probs&cell=0.1.0')")


def test_a_click_opens_the_cell_and_a_heading_its_stage(page: Any) -> None:
    grid = page.get_by_role("grid", name="得分 logits")
    cell = grid.get_by_role("gridcell", name="喜欢（位置 1）, 下一个词是 学习")
    cell.click()
    page.wait_for_function("location.search.includes('stage=logits&cell=1.3')")
    assert cell.get_attribute("aria-selected") == "true"
    heading = page.locator(".mg-map").get_by_role("button", name="FFN 更新 ffn_update")
    heading.click()
    page.wait_for_function("/stage=blocks.0.ffn_update(&|$)/.test(location.search)")
    assert "cell=" not in page.url
    assert heading.get_attribute("aria-pressed") == "true"


def test_the_address_marks_stage_and_cell(open_page: OpenPage) -> None:
    page = open_page("?v=1&stage=blocks.0.scores&cell=1.1.0")
    chosen = page.locator(".mg-map .mg-map-chosen")
    chosen.wait_for()
    assert chosen.count() == 1
    assert "头 2, 喜欢（位置 1）看 我（位置 0）" in chosen.get_attribute("aria-label")


@pytest.mark.parametrize(
    ("width", "steps", "opened"),
    [
        (1280, ["ArrowDown"] * 7 + ["ArrowRight"], "stage=position_embeddings&cell=1.2"),
        (390, ["ArrowDown"] * 2 + ["ArrowRight"], "stage=token_embeddings&cell=1.1"),
    ],
)
def test_the_keyboard_alone_walks_and_opens(
    open_page: OpenPage, width: int, steps: list[str], opened: str
) -> None:
    page = open_page(width=width)
    last_word = page.locator("button.mg-map-word").last
    last_word.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "词嵌入 token_embeddings"
    for key in steps:
        page.keyboard.press(key)
    assert page.get_by_role("tooltip").is_visible()
    assert page.locator(".mg-map-ring-focus").is_visible()
    page.keyboard.press("Enter")
    page.wait_for_function(f"location.search.includes('{opened}')")
    page.keyboard.press("Escape")
    page.get_by_role("tooltip").wait_for(state="hidden")


def test_the_focus_is_never_under_what_sticks_to_the_top(page: Any) -> None:
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


def test_a_click_on_a_word_repaints_and_replaces_nothing(page: Any) -> None:
    page.evaluate(
        """() => {
            for (const element of document.querySelectorAll(".mg-map *")) element.kept = true;
        }"""
    )
    before = page.locator(".mg-map *").count()
    click_word(page, "猫")  # 我 喜欢 -> 喜欢 猫: the window is as long as it was
    expected = written(view({"tokens": [1, 4]})["trace"]["logits"][1][3])
    page.locator('[data-stage="logits"] text').nth(8).filter(has_text=expected).wait_for()
    page.wait_for_function('document.querySelectorAll(".mg-map-flow").length === 0')
    kept = page.locator(".mg-map *").evaluate_all("all => all.filter(one => one.kept).length")
    assert kept == before == page.locator(".mg-map *").count()


@pytest.mark.parametrize(("motion", "flows"), [("no-preference", True), ("reduce", False)])
def test_values_flow_along_the_links_unless_motion_is_unwanted(
    open_page: OpenPage, motion: str, flows: bool
) -> None:
    page = open_page(reduced_motion=motion)
    page.evaluate(
        """() => {
            window.flowed = 0;
            new MutationObserver((changes) => {
                for (const { addedNodes } of changes)
                    for (const node of addedNodes)
                        if (node.classList?.contains("mg-map-flow")) window.flowed += 1;
            }).observe(document.querySelector(".mg-map"), { subtree: true, childList: true });
        }"""
    )
    click_word(page, "猫")
    page.locator("button.mg-map-word").last.filter(has_text="猫").wait_for()
    assert (page.evaluate("window.flowed") > 0) == flows


def test_a_followed_word_dims_what_does_not_feed_it(page: Any) -> None:
    first, second = page.locator("button.mg-map-word").all()
    dimmed = """stage => [...document.querySelectorAll(`[data-stage="${stage}"] .mg-map-row`)]
        .map(row => row.classList.contains("mg-map-dim"))"""
    first.hover()
    assert page.evaluate(dimmed, "residual_0") == [False, True]
    page.mouse.move(5, 5)
    assert page.locator(".mg-map-dim").count() == 0
    second.click()
    assert second.get_attribute("aria-pressed") == "true"
    page.mouse.move(5, 5)
    assert page.evaluate(dimmed, "residual_0") == [False, False]
    assert page.evaluate(dimmed, "blocks.0.query") == [True, False, True, False]
    assert page.evaluate(dimmed, "vocabulary_probs") == [True, False]


def test_values_that_an_edit_changed_carry_a_mark(open_page: OpenPage) -> None:
    page = open_page("?v=1&edits=lm_head.bias~3~0.5")
    page.locator(".mg-map-changed").first.wait_for()
    stages = page.locator(".mg-map-stage:has(.mg-map-changed)").evaluate_all(
        "stages => stages.map(stage => stage.dataset.stage)"
    )
    assert stages == ["logits", "vocabulary_probs"]
    marked = page.locator('[data-stage="logits"] .mg-map-changed')
    assert marked.count() == 2
    for cell in marked.all():
        assert cell.locator(".mg-map-mark").count() == 1
        assert "与原来不同" in cell.get_attribute("aria-label")


def test_an_empty_sentence_says_what_to_do(open_page: OpenPage) -> None:
    page = open_page("?v=1&tokens=")
    assert page.locator(".mg-map-empty").inner_text() == "先点一个词，路就从这里开始。"
    click_word(page, "猫")
    page.locator('[data-stage="logits"] [role=gridcell]').first.wait_for()
    assert page.locator("button.mg-map-word").all_inner_texts() == ["猫"]


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


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("tokens", ["0", "0-1"])
def test_no_text_lies_on_another_or_on_a_cell(
    open_page: OpenPage, width: int, language: str, tokens: str
) -> None:
    page = open_page(f"?v=1&tokens={tokens}&lang={language}", width=width)
    page.locator(".mg-map-cell").first.wait_for()
    found: list[str] = page.evaluate(OVERLAPS)
    assert found == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tokens", ["0-1-3", "0-1-3-4-1-2-0-1"])
def test_two_blocks_and_up_to_eight_words_have_room(
    open_page: OpenPage, width: int, tokens: str
) -> None:
    page = open_page(f"?v=1&model=trained&tokens={tokens}", width=width)
    page.locator('[data-stage="blocks.1.query"] button').wait_for()
    page.locator("button.mg-map-word").nth(tokens.count("-")).wait_for()
    found: list[str] = page.evaluate(OVERLAPS)
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


OVERLAPS = """() => {
    const text = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()];
    };
    const named = (name, rects) => rects.map(({ left, top, right, bottom }) =>
        ({ name, left: left + 1, top: top + 2, right: right - 1, bottom: bottom - 2 }));
    const boxes = [];
    for (const heading of document.querySelectorAll(".mg-map-name, .mg-map-term"))
        boxes.push(...named(heading.textContent, text(heading)));
    for (const tag of document.querySelectorAll(".mg-map-tag, .mg-map-title, .mg-map-answer"))
        boxes.push(...named(tag.textContent, [tag.getBoundingClientRect()]));
    for (const row of document.querySelectorAll(".mg-map-row"))
        boxes.push(...named("cells", [row.getBoundingClientRect()]));
    for (const word of document.querySelectorAll(".mg-map-word"))
        boxes.push(...named("word", [word.getBoundingClientRect()]));
    const frame = document.querySelector(".mg-map-board").getBoundingClientRect();
    const found = [];
    boxes.forEach((one, at) => {
        if (one.left < frame.left - 2 || one.right > frame.right + 2) found.push(`${one.name} out`);
        for (const other of boxes.slice(at + 1)) {
            if (one.name === "cells" && other.name === "cells") continue;
            if (one.left < other.right && other.left < one.right
                && one.top < other.bottom && other.top < one.bottom)
                found.push(`${one.name} on ${other.name}`);
        }
    });
    return found;
}"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("tokens", ["0-1", "4-1", "2-3"])
def test_every_digit_and_name_can_be_read(open_page: OpenPage, dark: bool, tokens: str) -> None:
    """Contrast of at least 4.5 (WCAG AA), measured on what the browser computed."""
    page = open_page(f"?v=1&tokens={tokens}", dark=dark)
    page.locator(".mg-map-cell").first.wait_for()
    contrasts: list[tuple[str, float]] = page.evaluate(CONTRASTS)
    assert len(contrasts) > 150
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


@pytest.mark.parametrize("dark", [False, True])
def test_digits_can_be_read_on_every_colour_there_is(open_page: OpenPage, dark: bool) -> None:
    """The same on a hundred steps of each scale, through the cells themselves."""
    page = open_page(dark=dark)
    page.locator(".mg-map-cell").first.wait_for()
    page.evaluate(
        """async () => {
            const { valueColour, probabilityColour } = await import(
                document.querySelector('link[href$="/colours.js"]').href);
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
    )
    contrasts: list[tuple[str, float]] = page.evaluate(CONTRASTS)
    assert len(contrasts) > 1500
    assert [pair for pair in contrasts if pair[1] < 4.5] == []


def test_touch_opens_a_cell_and_follows_a_word(open_page: OpenPage) -> None:
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


def flat(tensor: Any) -> list[float | None]:
    """The values of nested lists, in order."""
    if isinstance(tensor, list):
        return [value for part in tensor for value in flat(part)]
    return [tensor]


def written(value: float | None) -> str:
    """A value as the page writes it."""
    if value is None:
        return f"{MINUS}∞"
    text = f"{abs(value):.4f}"
    return f"{MINUS}{text}" if value < 0 and float(text) else text
