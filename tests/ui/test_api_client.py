"""The named endpoints, through gradio_client against a really started server."""

from __future__ import annotations

import json
import math
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from model.trace import trace_shapes
from model.vocabulary import LESSON_WORDS
from tests.lesson import HALF_A_DIGIT, LESSON
from tests.ui.started import StartedServer

ENGINES = ("onnxruntime", "torch")


@pytest.fixture(scope="module")
def client(server: StartedServer) -> Iterator[Client]:
    made = Client(server.url, verbose=False)
    yield made
    made.close()


def test_exactly_three_endpoints_have_names_and_typed_parameters(client: Client) -> None:
    api = client.view_api(return_format="dict", print_info=False)
    named = api["named_endpoints"]
    parameters = {
        name: [(p["parameter_name"], p["type"]["type"]) for p in endpoint["parameters"]]
        for name, endpoint in named.items()
    }
    prompt = [("tokens", "string"), ("engine", "string")]
    assert parameters == {
        "/next_token": [*prompt, ("model", "string")],
        "/trace": [*prompt, ("model", "string")],
        "/generate": [
            *prompt,
            ("count", "integer"),
            ("temperature", "number"),
            ("top_k", "integer"),
            ("top_p", "number"),
            ("seed", "integer"),
            ("model", "string"),
        ],
    }
    assert api["unnamed_endpoints"] == {}


def test_every_endpoint_and_parameter_is_described(server: StartedServer) -> None:
    with urllib.request.urlopen(server.url + "gradio_api/info", timeout=10) as response:
        named = json.load(response)["named_endpoints"]
    for name, endpoint in named.items():
        for parameter in endpoint["parameters"]:
            assert f"{parameter['parameter_name']}:" in endpoint["description"], name


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("prompt", ["A", "B"])
def test_next_token_gives_the_lessons_numbers(client: Client, engine: str, prompt: str) -> None:
    expected = LESSON["prompts"][prompt]
    answer = client.predict("".join(expected["tokens"]), engine, api_name="/next_token")
    assert answer["tokens"] == answer["window"] == expected["tokens"]
    assert answer["engine"] == engine
    assert list(answer["logits"]) == list(answer["probabilities"]) == list(LESSON_WORDS.words)
    for word, logit in zip(LESSON_WORDS.words, expected["logits"], strict=True):
        assert abs(answer["logits"][word] - logit) <= HALF_A_DIGIT
    assert math.isclose(sum(answer["probabilities"].values()), 1, abs_tol=1e-6)


def test_the_window_is_what_the_model_saw(client: Client) -> None:
    answer = client.predict("猫 猫 我 喜欢", api_name="/next_token")
    alone = client.predict("我喜欢", api_name="/next_token")
    assert answer["window"] == ["我", "喜欢"]
    assert answer["tokens"] == ["猫", "猫", "我", "喜欢"]
    assert answer["logits"] == alone["logits"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我喜欢AI", ["我", "喜欢", "AI"]),
        (" 我　喜欢 ａｉ ", ["我", "喜欢", "AI"]),
        ("学习猫", ["学习", "猫"]),
    ],
)
def test_tokens_is_text_as_people_type_it(client: Client, text: str, words: list[str]) -> None:
    assert client.predict(text, api_name="/next_token")["tokens"] == words


@pytest.mark.parametrize("engine", ENGINES)
def test_trace_gives_every_value_of_the_window(client: Client, engine: str) -> None:
    trace = client.predict("猫我喜欢", engine, api_name="/trace")
    assert list(trace) == list(trace_shapes(1))
    for row, expected in ((trace["residual_0"][-1], LESSON["prompts"]["A"]["residual_0"]),):
        assert [abs(a - b) <= HALF_A_DIGIT for a, b in zip(row, expected, strict=True)] == [
            True
        ] * 4
    masked = trace["blocks.0.masked_scores"]
    assert [head[0][1] for head in masked] == [None, None]
    assert all(isinstance(head[1][1], float) for head in masked)


def test_generate_appends_the_most_probable_words(client: Client) -> None:
    answer = client.predict("我喜欢", count=3, api_name="/generate")
    assert answer["new_tokens"] == answer["tokens"][2:]
    words = ["我", "喜欢"]
    for _ in range(3):
        shares = client.predict(" ".join(words), api_name="/next_token")["probabilities"]
        words.append(max(shares, key=shares.__getitem__))
    assert answer["tokens"] == words


def test_sampled_words_are_the_same_in_both_engines_and_follow_the_seed(client: Client) -> None:
    def drawn(engine: str, seed: int) -> Any:
        return client.predict("我喜欢", engine, 64, 1.5, 4, 0.95, seed, api_name="/generate")[
            "new_tokens"
        ]

    assert drawn("onnxruntime", 7) == drawn("torch", 7)
    assert drawn("onnxruntime", 7) != drawn("onnxruntime", 8)
    assert len(drawn("torch", 7)) == 64


BAD: list[tuple[str, dict[str, Any], str, str]] = [
    ("/next_token", {"tokens": "我 狗"}, "第 3 个字符处的“狗”", "“狗” at character 3"),
    ("/next_token", {"tokens": "  "}, "句子是空的", "sentence is empty"),
    ("/next_token", {"tokens": None}, "句子必须是文本", "must be text"),
    ("/next_token", {"tokens": "我" * 2001}, "2001 个字符", "2001 characters"),
    ("/next_token", {"tokens": "我" * 257}, "257 个词", "257 words"),
    ("/trace", {"tokens": "我", "engine": "tensorflow"}, "'tensorflow'", "onnxruntime, torch"),
    ("/trace", {"tokens": "我", "model": "large"}, "'large'", "teaching"),
    ("/trace", {"tokens": "我", "model": 7}, "model 只能是", "model must be one of"),
    ("/generate", {"tokens": "我", "count": 0}, "1 到 64", "from 1 to 64, got 0"),
    ("/generate", {"tokens": "我", "count": 65}, "1 到 64", "from 1 to 64, got 65"),
    ("/generate", {"tokens": "我", "count": 2.5}, "1 到 64", "got 2.5"),
    ("/generate", {"tokens": "我" * 255, "count": 2}, "257 个词", "257 words"),
    ("/generate", {"tokens": "我", "temperature": -1}, "温度（temperature）必须", "got -1"),
    (
        "/generate",
        {"tokens": "我", "temperature": "NaN"},
        "温度（temperature）必须",
        "finite number",
    ),
    (
        "/generate",
        {"tokens": "我", "temperature": None},
        "温度（temperature）必须",
        "finite number",
    ),
    ("/generate", {"tokens": "我", "top_k": -1}, "top_k 必须", "top_k must"),
    ("/generate", {"tokens": "我", "top_k": 1.5}, "top_k 必须", "got 1.5"),
    ("/generate", {"tokens": "我", "top_p": 0}, "top_p 必须", "top_p must"),
    ("/generate", {"tokens": "我", "top_p": 1.01}, "top_p 必须", "got 1.01"),
    ("/generate", {"tokens": "我", "seed": -1}, "种子（seed）必须", "got -1"),
    ("/generate", {"tokens": "我", "seed": 2**63}, "种子（seed）必须", "2^63"),
]


@pytest.mark.parametrize(("endpoint", "arguments", "chinese", "english"), BAD)
def test_a_bad_value_is_explained_in_both_languages(
    client: Client, endpoint: str, arguments: dict[str, Any], chinese: str, english: str
) -> None:
    with pytest.raises(AppError) as caught:
        client.predict(**arguments, api_name=endpoint)
    assert chinese in str(caught.value)
    assert english in str(caught.value)


def test_endpoints_answer_plain_http_too(server: StartedServer) -> None:
    call = urllib.request.Request(
        server.url + "gradio_api/run/next_token",
        data=json.dumps({"data": ["我喜欢", "onnxruntime", "teaching"]}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call, timeout=10) as response:
        answer = json.load(response)["data"][0]
    assert round(answer["probabilities"]["学习"], 4) == 0.4835
