"""The model appends: one word, several one by one, stopped, sampled."""

from __future__ import annotations

from typing import Any

import pytest
from gradio_client import Client

from tests.ui.conftest import OpenPage
from tests.ui.reading import (
    alert,
    bar_row,
    chips,
    click_word,
    press,
    wait_for_alert,
    wait_for_chips,
    wait_for_count,
)
from tests.ui.started import StartedServer

APPEND, GENERATE, STOP = "让模型接一个词", "连续生成", "停止"


def choose_sampling(page: Any, **fields: str) -> None:
    page.get_by_text("抽样 sampling", exact=True).click()
    labels = {"temperature": "温度", "top_k": "top_k", "top_p": "top_p", "seed": "种子"}
    for name, text in fields.items():
        page.get_by_label(labels[name], exact=True).fill(text)


def test_append_one_takes_the_most_probable_word(page: Any) -> None:
    press(page, APPEND)
    wait_for_chips(page, ["我", "喜欢", "学习"])
    press(page, APPEND)
    wait_for_count(page, 4)


def test_a_word_costs_one_round_trip(page: Any) -> None:
    page.wait_for_timeout(500)  # what follows the first view has been asked
    calls: list[str] = []
    page.on(
        "request",
        lambda request: (
            calls.append(request.post_data_json["fn_name"])
            if "component_server" in request.url
            else None
        ),
    )
    press(page, APPEND)
    bar_row(page, "喜欢 0.7535").wait_for()
    assert [name for name in calls if name != "differences"] == ["step"]


def test_generated_words_come_one_by_one(page: Any) -> None:
    page.evaluate(
        """() => {
            window.seen = [];
            new MutationObserver(() => window.seen.push(
                document.querySelectorAll(".mg-chip").length,
            )).observe(document.querySelector(".mg-chips"), {childList: true});
        }"""
    )
    page.get_by_label("生成多少个词").fill("5")
    press(page, GENERATE)
    wait_for_count(page, 7)
    assert page.evaluate("window.seen") == [3, 4, 5, 6, 7]


def test_stop_keeps_what_came_and_ends_the_rest(page: Any) -> None:
    page.get_by_label("生成多少个词").fill("64")
    press(page, GENERATE)
    assert page.get_by_role("button", name=GENERATE).is_disabled()
    page.wait_for_function('document.querySelectorAll(".mg-chip").length >= 4')
    press(page, STOP)
    stopped_at = chips(page)
    page.wait_for_timeout(600)
    assert chips(page) == stopped_at
    assert len(stopped_at) < 20
    assert page.get_by_role("button", name=STOP).is_disabled()
    assert page.get_by_role("button", name=GENERATE).is_enabled()


def test_a_word_clicked_during_generation_ends_it_cleanly(page: Any) -> None:
    page.get_by_label("生成多少个词").fill("64")
    press(page, GENERATE)
    page.wait_for_function('document.querySelectorAll(".mg-chip").length >= 4')
    click_word(page, "猫")
    then = chips(page)
    assert then[-1] == "猫"
    page.wait_for_timeout(600)
    assert chips(page) == then


@pytest.mark.parametrize("button", ["撤销", "清空"])
def test_taking_back_during_generation_ends_it(page: Any, button: str) -> None:
    page.get_by_label("生成多少个词").fill("64")
    press(page, GENERATE)
    page.wait_for_function('document.querySelectorAll(".mg-chip").length >= 4')
    press(page, button)
    then = chips(page)
    page.wait_for_timeout(600)
    assert chips(page) == then


def test_double_clicks_on_append_and_generate(page: Any) -> None:
    page.get_by_role("button", name=APPEND).dblclick()
    wait_for_count(page, 4)
    page.get_by_label("生成多少个词").fill("3")
    page.get_by_role("button", name=GENERATE).dblclick()
    wait_for_count(page, 7)
    page.wait_for_timeout(500)
    assert len(chips(page)) == 7


def test_sampled_words_are_those_of_one_call_of_the_api(page: Any, server: StartedServer) -> None:
    choose_sampling(page, temperature="1.5", top_k="4", top_p="0.95", seed="7")
    press(page, APPEND)
    wait_for_count(page, 3)
    page.get_by_label("生成多少个词").fill("7")
    press(page, GENERATE)
    wait_for_count(page, 10)
    client = Client(server.url, verbose=False)
    whole = client.predict("我喜欢", "onnxruntime", 8, 1.5, 4, 0.95, 7, api_name="/generate")
    client.close()
    assert chips(page) == whole["tokens"]


def test_the_same_seed_gives_the_same_words_after_undo(page: Any) -> None:
    choose_sampling(page, temperature="2", seed="5")
    for _ in range(3):
        press(page, APPEND)
    wait_for_count(page, 5)
    first = chips(page)
    for _ in range(3):
        press(page, "撤销")
    page.locator(".mg-draw-note").filter(has_text="第 1 抽").wait_for()
    for _ in range(3):
        press(page, APPEND)
    wait_for_count(page, 5)
    assert chips(page) == first


@pytest.mark.parametrize(
    ("field", "text", "part"),
    [
        ("temperature", "NaN", "temperature 必须是大于等于 0 的有限数"),
        ("temperature", "-1", "temperature 必须"),
        ("temperature", "热", "现在是 '热'"),
        ("top_k", "1.5", "top_k 必须是大于等于 0 的整数"),
        ("top_p", "0", "top_p 必须大于 0 且不超过 1"),
        ("seed", "-3", "seed 必须是 0 到 2^63 - 1 之间的整数"),
        ("seed", "9223372036854775808", "9223372036854775808"),
    ],
)
def test_a_wrong_setting_is_explained_and_everything_stays(
    page: Any, field: str, text: str, part: str
) -> None:
    choose_sampling(page, **{field: text})
    press(page, APPEND)
    wait_for_alert(page, part)
    assert chips(page) == ["我", "喜欢"]
    label = {"temperature": "温度", "seed": "种子"}.get(field, field)
    input_ = page.get_by_label(label, exact=True)
    assert input_.input_value() == text
    assert input_.get_attribute("aria-invalid") == "true"
    input_.fill("1")
    assert alert(page) == ""
    press(page, APPEND)
    wait_for_count(page, 3)


@pytest.mark.parametrize("text", ["0", "65", "-1", "2.5", "六", ""])
def test_a_wrong_number_of_words_is_explained(page: Any, text: str) -> None:
    count = page.get_by_label("生成多少个词")
    count.fill(text)
    press(page, GENERATE)
    wait_for_alert(page, "词数必须是 1 到 64 之间的整数")
    assert count.input_value() == text
    assert chips(page) == ["我", "喜欢"]


def test_an_empty_sentence_cannot_go_on(open_page: OpenPage) -> None:
    page = open_page("?tokens=")
    press(page, APPEND)
    wait_for_alert(page, "句子是空的：请点一个词")
    click_word(page, "我")
    assert alert(page) == ""


def test_no_generation_goes_past_256_words(open_page: OpenPage) -> None:
    page = open_page(f"?tokens={'-'.join(['4'] * 253)}")
    press(page, GENERATE)
    wait_for_alert(page, "句子会有 259 个词，最多保留 256 个。")
    assert len(chips(page)) == 253
