"""Check my answer, lessons and worksheet, as the browser calls them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.model.answers.test_judging import ALL_MISTAKES
from ui.panels.answers import check_answer
from ui.panels.lessons import check_lesson, lessons
from ui.panels.working import stage_values
from ui.panels.worksheet import worksheet
from ui.texts import strings
from ui.views import view

A: dict[str, Any] = {"tokens": [0, 1], "lang": "en"}


def check(key: str, cell: list[int], answer: Any, **more: Any) -> Any:
    return check_answer({**A, "cell": {"key": key, "cell": cell}, "answer": answer, **more})


def test_an_answer_is_judged_in_the_network_on_show() -> None:
    assert check("logits", [1, 3], "2.1336") == {"grade": "right", "hint": None}
    edited = check("logits", [1, 3], "2.1336", edits={"lm_head.bias": {"3": 0.5}})
    assert edited == {"grade": "nearly", "hint": {"key": "forgot_bias", "values": {}}}


def test_the_chosen_word_may_be_named() -> None:
    assert check("next_id", [1], "学习")["grade"] == "right"
    assert check("next_id", [1], "3")["grade"] == "right"
    assert check("next_id", [1], "猫")["grade"] == "wrong"
    assert check("next_id", [1], "狗")["error"]["code"] == "answer"


def test_every_mistake_has_a_text() -> None:
    assert {f"working.mistake.{name}" for name in ALL_MISTAKES} - set(strings()) == set()


# ---- lessons ----

RIGHT = {"positions": "0.5", "heads": "学习", "mask": "0", "residual": "1.342", "ffn": "1.1153"}


def test_there_are_five_lessons_and_all_is_told() -> None:
    told = lessons({})["lessons"]
    assert [lesson["id"] for lesson in told] == list(RIGHT)
    texts = strings()
    for lesson in told:
        assert 2 <= len(lesson["steps"]) <= 4
        named = [*(f"step_{n}" for n in range(1, len(lesson["steps"]) + 1)), "task", "done"]
        for name in ("title", "question", *named):
            assert f"lessons.{lesson['id']}.{name}" in texts
        assert f"lessons.{lesson['id']}.step_{len(lesson['steps']) + 1}" not in texts


def test_every_step_opens_a_cell_that_is_there() -> None:
    for lesson in lessons({})["lessons"]:
        for step in (*lesson["steps"], lesson["task"]):
            asked = {**step, "cell": {"key": step["stage"], "cell": step["cell"]}}
            assert stage_values(asked)["working"]["lines"]


@pytest.mark.parametrize("lesson", RIGHT)
def test_tasks_know_right_from_wrong(lesson: str) -> None:
    assert check_lesson({"lesson": lesson, "answer": RIGHT[lesson]})["grade"] == "right"
    wrong = "我" if lesson == "heads" else "7.7777"
    assert check_lesson({"lesson": lesson, "answer": wrong})["grade"] == "wrong"


def test_a_usual_mistake_in_a_task_is_named() -> None:
    found = check_lesson({"lesson": "residual", "answer": "1.162"})
    assert found == {"grade": "nearly", "hint": {"key": "sample_variance", "values": {}}}


def test_an_unknown_lesson_is_refused() -> None:
    assert check_lesson({"lesson": "x", "answer": "1"})["error"]["code"] == "choice"


def test_the_figures_in_the_lessons_texts_are_true() -> None:
    """What the texts state of the teaching model, worked out again."""
    activation = stage_values({**A, "cell": {"key": "blocks.0.ffn_activation", "cell": [1, 0]}})[
        "working"
    ]["lines"]
    task = strings()["lessons.ffn.task"]["en"]
    figures = re.findall(r"\d\.\d{4,}", task)
    assert activation[-1]["expression"] == "×".join(figures)
    assert activation[-1]["result"] in strings()["lessons.ffn.done"]["en"]
    trace = view(A)["trace"]
    assert f"{trace['blocks.0.ffn_hidden'][1][2]:.4f}" == "-1.5404"
    assert "−1.5404" in strings()["lessons.ffn.step_2"]["zh"]
    off = view({**A, "switches": {"blocks.0.head.1": False}})["probabilities"]
    assert off.index(max(off)) == 0
    heads = trace["blocks.0.attention_probs"]
    assert heads[0][1][0] > 4 * heads[1][1][0]


# ---- worksheet ----


def test_the_last_positions_numbers_are_the_blanks() -> None:
    told = worksheet(A)
    assert len(told["stages"]) == 19
    for stop in told["stages"]:
        assert stop["example"]
        for key, cells in stop["blanks"].items():
            assert np.shape(cells) == np.shape(stop["values"][key])
            given = key.endswith((".phi", ".mask"))
            assert np.any(cells) == (not given), key
    norm = told["stages"][1]
    assert norm["blanks"]["blocks.0.ln1"] == [[False] * 4, [True] * 4]
    assert norm["blanks"]["blocks.0.ln1.mean"] == [False, True]
    queries = told["stages"][2]["blanks"]["blocks.0.query"]
    assert queries == [[[False] * 2, [True] * 2]] * 2


def test_the_sheet_follows_the_chosen_word_to_its_probability() -> None:
    stops = {stop["key"]: stop for stop in worksheet(A)["stages"]}
    assert stops["vocabulary_probs"]["example"][-1]["text"].endswith("≈ 0.4835")
    assert stops["logits"]["example"][-1]["text"].endswith("≈ 2.1336")


def test_a_worksheet_of_a_large_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.panels.worksheet.MOST_CHANNELS", 2)
    assert worksheet(A)["error"]["code"] == "worksheet_size"
