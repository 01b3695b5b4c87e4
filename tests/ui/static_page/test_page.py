"""The page without a server, in Chromium: every number, both languages, a phone, no network."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from export.runtimes.onnx_runtime import onnxruntime_runner
from export.shipped import FILES
from model.generation import generate
from model.teaching import TEACHING_CONFIG
from model.trained import trained_model
from tests.ui.reading import open_more
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


def wait_for_alert(page: Any, text: str) -> None:
    page.get_by_role("alert").get_by_text(text).wait_for()


def test_a_visit(open_static: OpenPage, served: Served) -> None:
    """First view, clicks, generation, free text and its errors, in one page."""
    page = open_static()
    assert bars(page) == shown([0, 1])
    assert page.title().startswith("MiniGPT")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    # Nothing that needs a server is there, nothing outside the folder is asked for: as a static
    # Space or a course page serves it, below its root.
    assert page.locator(".mg-working").count() == 0
    assert page.get_by_role("tab").count() == 0
    assert not page.locator(".mg-footer .mg-link").is_visible()
    asked = page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
    assert all(name.startswith(served.url) for name in asked)
    for file in ("web/page.js", "web/static/main.js", "page.json"):
        assert any(name.split("?")[0].endswith(file) for name in asked)

    page.get_by_role("button", name="让模型接一个词").click()
    wait_for_bars(page, shown([1, 3]))
    click_words(page, "猫")
    wait_for_bars(page, shown([3, 4]))
    click_words(page, "AI", "学习")
    wait_for_bars(page, shown([2, 3]))
    assert page.locator(".mg-map-area").is_visible()
    # The map shows the same value of the last position.
    page.get_by_text(shown([2, 3])[0][1], exact=True).first.wait_for()
    until(
        page, "document.querySelector('.mg-difference').textContent.match(/相差 [\\d.]+ × 10⁻[⁷⁸]/)"
    )

    field = open_more(page).locator(".mg-typing-input")
    field.fill("猫ａｉ")
    field.press("Enter")
    wait_for_bars(page, shown([4, 2]))
    field.fill("我爱猫")
    field.press("Enter")
    wait_for_alert(page, "第 2 个字符处的“爱”不在词表里")
    page.get_by_role("button", name="English").click()
    field = open_more(page).locator(".mg-typing-input")
    field.press("Enter")
    wait_for_alert(page, "“爱” at character 2 is not a word")
    assert field.input_value() == "我爱猫"


def test_a_first_visit_is_in_the_browsers_language(open_static: OpenPage) -> None:
    page = open_static(locale="en-GB")
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.title() == "MiniGPT: a GPT you can check with a pencil"
    assert bars(page) == shown([0, 1])


def test_every_number_is_the_models_own(open_static: OpenPage) -> None:
    """The whole trace of all 30 prompts, and what is generated."""
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
    for mode in ("argmax", "sample"):
        assert generated(page, mode) == expected_words(mode)


SETTINGS: dict[str, Any] = {"temperature": 0.8, "top_k": 3, "top_p": 0.9}


def expected_words(mode: str) -> list[int]:
    given = SETTINGS if mode == "sample" else {}
    words: list[int] = (
        generate(trained_model(), np.array([[0, 1]]), 12, seed=7, **given).token_ids[0].tolist()
    )
    return words


def generated(page: Any, mode: str) -> list[int]:
    """12 words after 我 喜欢, as the page draws them with the trained weights."""
    tokens = [0, 1]
    for index in range(12):
        request = {
            "name": "step", "tokens": tokens, "model": "trained", "seed": 7, "index": index,
            "sampling": {"mode": mode, **SETTINGS},
        }  # fmt: skip
        tokens = page.evaluate(_ASK, request)["view"]["tokens"]
    return tokens


def test_phone_and_projector_have_no_sideways_scroll(open_static: OpenPage) -> None:
    """In both themes; with the trained weights, in English by address."""
    page = open_static("?v=1&lang=en&model=trained&tokens=4-1-3", width=390, dark=True)
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_text("Works without a network now").wait_for()
    arrays = onnxruntime_runner(FILES / "mini_gpt_trained_trace.onnx")(np.array([[4, 1, 3]]))
    until(
        page,
        "(text) => document.querySelector('.mg-probability').textContent === text",
        arg=f"{arrays['vocabulary_probs'][0, -1, 0]:.4f}",
    )
    for width, dark in ((390, True), (390, False), (1920, True)):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if dark else "light")
        until(page, "(dark) => document.body.classList.contains('dark') === dark", arg=dark)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


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
