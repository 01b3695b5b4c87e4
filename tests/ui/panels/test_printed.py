"""Figures that the lesson prints from rounded values are known, and the page says so."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lesson import LESSON
from ui import torch_loading
from ui.panels.answers import check_answer
from ui.panels.lessons import check_lesson
from ui.texts import strings
from ui.views import view

A: dict[str, Any] = {"tokens": [0, 1], "lang": "en"}
GELU = "blocks.0.ffn_activation"
PRINTED = LESSON["ffn_example"]["gelu_first_four"]


@pytest.fixture(scope="module", autouse=True)
def _torch() -> None:
    torch_loading.wait()


def hint(answer: float | str, prompt: dict[str, Any] = A, unit: int = 0, at: int = 1) -> Any:
    cell = {"key": GELU, "cell": [at, unit]}
    told = check_answer({**prompt, "cell": cell, "answer": str(answer)})
    return told["hint"]


def shown(number: float) -> str:
    return f"{number:.4f}".replace("-", "\N{MINUS SIGN}")


@pytest.mark.parametrize("engine", ["onnxruntime", "torch"])
@pytest.mark.parametrize("unit", range(4))
def test_the_lessons_gelu_row_is_known(unit: int, engine: str) -> None:
    trace = view({**A, "engine": engine})["trace"]
    found = hint(PRINTED[unit], {**A, "engine": engine}, unit)
    assert found == {
        "key": "printed_gelu",
        "values": {
            "printed": shown(PRINTED[unit]),
            "value": shown(trace[GELU][1][unit]),
            "update": shown(trace["blocks.0.ffn_update"][1][unit]),
        },
    }


def test_the_logit_worked_by_hand_is_known() -> None:
    told = check_answer({**A, "cell": {"key": "logits", "cell": [1, 3]}, "answer": "2.1335"})
    assert told["hint"] == {
        "key": "printed_logit",
        "values": {"printed": "2.1335", "value": "2.1336"},
    }


@pytest.mark.parametrize(
    ("prompt", "unit", "at"),
    [
        ({**A, "model": "trained"}, 0, 1),
        ({**A, "tokens": [4, 1]}, 0, 1),
        ({**A, "edits": {"lm_head.bias": {"0": 1.0}}}, 0, 1),
        ({**A, "switches": {"causal_mask": False}}, 0, 1),
        (A, 0, 0),
        (A, 5, 1),
    ],
)
def test_elsewhere_the_lesson_prints_nothing(prompt: dict[str, Any], unit: int, at: int) -> None:
    found = hint(PRINTED[0], prompt, unit, at)
    assert found is None or not found["key"].startswith("printed")


def test_the_task_of_the_ffn_lesson_knows_it_too() -> None:
    assert check_lesson({"lesson": "ffn", "answer": "1.1152"})["hint"]["key"] == "printed_gelu"
    assert check_lesson({"lesson": "ffn", "answer": "1.1153"}) == {"grade": "right", "hint": None}


def test_the_page_says_it_with_the_networks_numbers() -> None:
    texts = strings()
    true = [shown(value) for value in view(A)["trace"][GELU][1][:4]]
    for language, comma in (("zh", "、"), ("en", ", ")):
        said = texts["lessons.ffn.step_2"][language]
        assert comma.join(map(shown, PRINTED)) in said
        assert comma.join(true) in said
        for key in ("printed_gelu", "printed_logit"):
            assert "{printed}" in texts[f"working.mistake.{key}"][language]
