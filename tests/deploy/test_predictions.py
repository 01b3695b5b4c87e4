"""Predictions for many callers at once are those that each would get alone."""

from __future__ import annotations

import json

import pytest

from deploy.predictions import BODY_LIMIT, answer, next_logits, read_asked
from model.errors import InputError
from ui.endpoints import next_token

TEXTS = ("我", "我喜欢", "学习", "AI 猫", "我喜欢猫", "猫")


def _asked(text: str, model: str = "teaching") -> bytes:
    return json.dumps({"tokens": text, "model": model}).encode()


@pytest.mark.parametrize("model", ["teaching", "trained"])
def test_a_batch_answers_what_the_endpoint_answers(model: str) -> None:
    asked = [read_asked(_asked(text, model)) for text in TEXTS]
    for one, logits, text in zip(asked, next_logits(asked), TEXTS, strict=True):
        found, alone = answer(one, logits), next_token(text, "onnxruntime", model)
        assert found["tokens"] == alone["tokens"]
        assert found["window"] == alone["window"]
        assert found["logits"] == pytest.approx(alone["logits"], abs=1e-6)
        assert found["probabilities"] == pytest.approx(alone["probabilities"], abs=1e-6)


def test_callers_of_different_models_share_a_batch() -> None:
    mixed = [read_asked(_asked("我喜欢", model)) for model in ("teaching", "trained", "teaching")]
    first, second, third = next_logits(mixed)
    assert first == third
    assert first != second


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "body_json"),
        (b"[]", "request_type"),
        (b"{}", "text_type"),
        (_asked(""), "empty_prompt"),
        (_asked("dog"), "unknown_word"),
        (_asked("我", "own:1"), "choice"),
        (b'{"tokens": NaN}', "body_json"),
        (b" " * (BODY_LIMIT + 1), "body_size"),
    ],
)
def test_a_wrong_request_is_explained(body: bytes, code: str) -> None:
    with pytest.raises(InputError) as caught:
        read_asked(body)
    assert caught.value.code == code
