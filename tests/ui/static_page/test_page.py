"""The page without a server, in Chromium: every number, both languages, a phone, no network."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from export.runtimes.onnx_runtime import onnxruntime_runner
from export.shipped import FILES
from model.generation import generate
from model.teaching import TEACHING_CONFIG
from model.trained import trained_model
from tests.ui.static_page.conftest import OpenPage, Served
from tests.ui.static_page.waiting import until
from ui.views import trace_lists

WORDS = ("我", "喜欢", "AI", "学习", "猫")
PRECISION = 5e-6
_ASK = """async (request) => {
    const { createModels } = await import("./web/static/models.js");
    const { createRuntimeLoader } = await import("./web/static/runtime.js");
    const { createBrowserServer } = await import("./web/static/server.js");
    const { initial, descriptions } = await (await fetch("./page.json")).json();
    const here = window.location.href.replace(/[^/]*$/, "");
    window.ownServer ??= createBrowserServer({
        models: createModels({
            descriptions, files: `${here}files`, loadRuntime: createRuntimeLoader(`${here}ort`),
        }),
        strings: initial.strings, limits: initial.limits,
        expected: async () => ({ state: "missing" }),
    });
    return window.ownServer[request.name](request);
}"""


def bars(page: Any) -> list[tuple[str, str]]:
    """Probability and logit as shown, by word."""
    rows = page.locator(".mg-bars tbody tr")
    return [
        (row.locator(".mg-probability").inner_text(), row.locator(".mg-logit").inner_text())
        for row in rows.all()
    ]


def shown(ids: list[int]) -> list[tuple[str, str]]:
    """What the bars should say."""
    arrays = onnxruntime_runner(FILES / "mini_gpt_teaching_trace.onnx")(np.array([ids]))
    pairs = zip(arrays["vocabulary_probs"][0, -1], arrays["logits"][0, -1], strict=True)
    return [(f"{share:.4f}", f"{logit:.4f}".replace("-", "−")) for share, logit in pairs]


def click_words(page: Any, *words: str) -> None:
    for word in words:
        page.locator(f'.mg-palette button:has-text("{word}")').click()


def wait_for_bars(page: Any, expected: list[tuple[str, str]]) -> None:
    until(
        page,
        """(expected) => {
            const cells = [...document.querySelectorAll(".mg-bars .mg-number")];
            return cells.map((cell) => cell.textContent).join() === expected;
        }""",
        arg=",".join(text for pair in expected for text in pair),
    )


def wait_until_kept(page: Any) -> None:
    until(page, "document.querySelector('.mg-offline')?.textContent.includes('了')")
    until(page, "navigator.serviceWorker.controller !== null")


def test_the_first_view_needs_no_engine(open_static: OpenPage) -> None:
    page = open_static()
    assert bars(page) == shown([0, 1])
    assert page.title().startswith("MiniGPT")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"


def test_a_click_computes_here_and_the_window_slides(open_static: OpenPage) -> None:
    page = open_static()
    click_words(page, "猫")
    wait_for_bars(page, shown([1, 4]))
    click_words(page, "AI", "学习")
    wait_for_bars(page, shown([2, 3]))
    assert page.locator(".mg-map-area").is_visible()
    # The map shows the same value of the last position.
    logit = shown([2, 3])[0][1]
    page.get_by_text(logit, exact=True).first.wait_for()


def test_the_whole_trace_of_all_30_prompts(open_static: OpenPage) -> None:
    page = open_static()
    run = onnxruntime_runner(FILES / "mini_gpt_teaching_trace.onnx")
    for ids in (list(ids) for length in (1, 2) for ids in product(range(5), repeat=length)):
        answer = page.evaluate(_ASK, {"name": "view", "tokens": ids, "model": "teaching"})
        expected = trace_lists(run(np.array([ids])), TEACHING_CONFIG.num_layers)
        assert list(answer["trace"]) == list(expected)
        for name, values in expected.items():
            np.testing.assert_allclose(
                np.array(answer["trace"][name], dtype=float),
                np.array(values, dtype=float),  # null: NaN on both sides
                rtol=0,
                atol=PRECISION,
                err_msg=f"{name} {ids}",
            )


@pytest.mark.parametrize("sampling", ["argmax", "sample"])
def test_generation_is_the_models_own(open_static: OpenPage, sampling: str) -> None:
    page = open_static()
    settings: dict[str, Any] = {"temperature": 0.8, "top_k": 3, "top_p": 0.9}
    given = settings if sampling == "sample" else {}
    expected = generate(trained_model(), np.array([[0, 1]]), 12, seed=7, **given)
    tokens = [0, 1]
    for index in range(12):
        request = {
            "name": "step", "tokens": tokens, "model": "trained", "seed": 7, "index": index,
            "sampling": {"mode": sampling, **settings},
        }  # fmt: skip
        answer = page.evaluate(_ASK, request)
        tokens = answer["view"]["tokens"]
    assert tokens == expected.token_ids[0].tolist()


def test_the_button_generates(open_static: OpenPage) -> None:
    page = open_static()
    page.get_by_role("button", name="让模型接一个词").click()
    wait_for_bars(page, shown([1, 3]))


def test_free_text_and_its_errors_in_both_languages(open_static: OpenPage) -> None:
    page = open_static()
    field = page.locator(".mg-typing-input")
    field.fill("猫ａｉ")
    field.press("Enter")
    wait_for_bars(page, shown([4, 2]))
    field.fill("我爱猫")
    field.press("Enter")
    alert = page.get_by_role("alert")
    alert.get_by_text("第 2 个字符处的“爱”不在词表里").wait_for()
    page.get_by_role("button", name="English").click()
    field.press("Enter")
    alert.get_by_text("“爱” at character 2 is not a word").wait_for()
    assert field.input_value() == "我爱猫"


def test_english_by_address_and_the_trained_weights(open_static: OpenPage) -> None:
    page = open_static("?v=1&lang=en&model=trained&tokens=4-1-3")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_text("Works without a network now").wait_for()
    arrays = onnxruntime_runner(FILES / "mini_gpt_trained_trace.onnx")(np.array([[4, 1, 3]]))
    until(
        page,
        "(text) => document.querySelector('.mg-probability').textContent === text",
        arg=f"{arrays['vocabulary_probs'][0, -1, 0]:.4f}",
    )


def test_it_says_how_far_it_is_from_pytorch(open_static: OpenPage) -> None:
    page = open_static()
    until(
        page, "document.querySelector('.mg-difference').textContent.match(/相差 [\\d.]+ × 10⁻[⁷⁸]/)"
    )


@pytest.mark.parametrize(("width", "dark"), [(390, True), (390, False), (1920, True)])
def test_phone_and_projector_have_no_sideways_scroll(
    open_static: OpenPage, width: int, dark: bool
) -> None:
    page = open_static(width=width, dark=dark)
    click_words(page, "猫")
    wait_for_bars(page, shown([1, 4]))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.body.classList.contains('dark')") is dark


def test_there_is_nothing_that_needs_a_server(open_static: OpenPage) -> None:
    page = open_static()
    assert page.locator(".mg-bench-area").count() == 0
    assert page.get_by_role("tab").count() == 0
    assert not page.locator(".mg-footer .mg-link").is_visible()


def test_without_a_network_after_the_first_load(open_static: OpenPage, served: Served) -> None:
    page = open_static()
    wait_until_kept(page)
    served.stop()  # nothing answers any more, whatever the browser thinks of its network
    page.context.set_offline(True)
    page.reload()
    page.locator(".mg-bars tbody tr").first.wait_for()
    assert bars(page) == shown([0, 1])
    click_words(page, "学习")
    wait_for_bars(page, shown([1, 3]))
    page.get_by_role("button", name="让模型接一个词").click()
    best = int(np.argmax([float(share) for share, _ in shown([1, 3])]))
    wait_for_bars(page, shown([3, best]))


def test_a_folder_below_the_root(open_static: OpenPage, served: Served) -> None:
    """As a static Space or a course page serves it: nothing is asked for outside the folder."""
    page = open_static()
    asked = page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
    assert all(name.startswith(served.url) for name in asked)
    for file in ("web/page.js", "web/static/main.js", "page.json"):
        assert any(name.split("?")[0].endswith(file) for name in asked)
